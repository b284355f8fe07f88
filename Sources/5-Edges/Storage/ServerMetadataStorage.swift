package import HomelineOAuth

/// Stores an authorisation server's endpoints as of the last login, so that renewing a token needs no discovery, and what all accounts of a
/// server share. The data contains no secret and may be deleted. It can be used from any queue.
package protocol ServerMetadataStorage: Sendable {
  /// Returns the stored endpoints; `nil` if there are none, or if they cannot be read. The caller then discovers them again.
  func read() -> OAuth2Endpoints?
  func store(_ endpoints: OAuth2Endpoints) throws(StorageError)
  /// Whether the server is known to accept only coarse scopes, such as `read`.
  var needsCoarseScopes: Bool { get }
  /// Records that the server accepts only coarse scopes. This stays recorded until the server's data is removed.
  func noteCoarseScopes() throws(StorageError)
  /// What the server says about restricted timelines; `nil` if it was never asked.
  var feeds: ServerFeeds? { get }
  func store(_ feeds: ServerFeeds) throws(StorageError)
}
