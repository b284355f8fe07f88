package import HomelineOAuth

/// Stores the registrations of this program at one server, for all accounts there. To be used from any queue.
///
/// There is one for each redirect address. What was registered for another address stays, since tokens were given in its name.
package protocol ClientStorage: Sendable {
  func client(forRedirect redirect: String) throws(StorageError) -> RegisteredClient?
  func client(id: String) throws(StorageError) -> RegisteredClient?
  /// Keeps a registration; one for the same address with another id stays, for the tokens that it was used for.
  func keep(_ client: RegisteredClient) throws(StorageError)
  /// Forgets one that the server no longer knows.
  func forget(id: String) throws(StorageError)
}

/// Stores the addresses of one authorisation server as it told them at the last login: so that a token can be renewed without asking for
/// them again. Nothing in them is secret, and they may be deleted. To be used from any queue.
package protocol ServerMetadataStorage: Sendable {
  /// - Returns: `nil` when there are none, or none that can be read: they are asked for again then.
  func read() -> OAuth2Endpoints?
  func keep(_ endpoints: OAuth2Endpoints) throws(StorageError)
}
