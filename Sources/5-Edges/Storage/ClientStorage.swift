package import Time

/// Stores this program's registrations with one server, for all accounts there. It can be used from any queue.
///
/// Each redirect URI has its own registration. Registrations for other URIs are kept, because tokens were issued to them.
package protocol ClientStorage: Sendable {
  /// Returns the registration for a login; `nil` if the server is not believed to know any.
  func client(forRedirect redirect: String, allowing scopes: [String]) throws(StorageError) -> RegisteredClient?
  /// Returns the registration that a token was issued to, even if the server no longer knows it.
  func client(id: String) throws(StorageError) -> RegisteredClient?
  /// Stores a registration. If the redirect URI already has a registration with a different id, that registration is kept too, because
  /// tokens may have been issued to it.
  func store(_ client: RegisteredClient) throws(StorageError)
  /// Excludes a registration from later logins, because the server no longer knows it. It has no effect if there is no such registration.
  func forget(id: String, at now: Timestamp) throws(StorageError)
  /// Removes the registrations that the server no longer knows, except those with these ids.
  func removeForgotten(except ids: Set<String>) throws(StorageError)
}
