package import HomelineOAuth

/// Stores this program's registrations with one server, for all accounts there. It can be used from any queue.
///
/// Each redirect URI has its own registration. Registrations for other URIs are kept, because tokens were issued to them.
package protocol ClientStorage: Sendable {
  func client(forRedirect redirect: String, allowing scopes: [String]) throws(StorageError) -> RegisteredClient?
  func client(id: String) throws(StorageError) -> RegisteredClient?
  /// Stores a registration. If the redirect URI already has a registration with a different id, that registration is kept too, because
  /// tokens may have been issued to it.
  func store(_ client: RegisteredClient) throws(StorageError)
  /// Removes a registration that the server no longer knows.
  func remove(id: String) throws(StorageError)
}

/// Stores an authorisation server's endpoints as of the last login, so that a token can be renewed without discovering them again. They
/// contain no secret and may be deleted. It can be used from any queue.
package protocol ServerMetadataStorage: Sendable {
  /// Returns the stored endpoints; `nil` if there are none, or if they cannot be read. The caller then discovers them again.
  func read() -> OAuth2Endpoints?
  func store(_ endpoints: OAuth2Endpoints) throws(StorageError)
}
