package import Settings

/// The protection of stored tokens by a key that is kept elsewhere. It can be used from any queue.
package protocol ProtectedStorage: Sendable {
  /// The form in which tokens are stored from now on.
  var current: TokenProtection { get }
  /// Stores tokens in this form from now on. Stored tokens do not change; see ``TokenStorage/applyProtection()``.
  func adopt(_ protection: TokenProtection)
  /// Reads the key for new tokens again, because the user may have replaced it.
  /// - Throws: `.keyUnavailable` or `.keyMissing`. A known key then stays in use.
  func readKeyAgain() throws(StorageError)
  /// Calls back, on any queue, whenever a key becomes available again.
  func onKeyAvailable(_ body: @escaping @Sendable () -> Void)
  /// Deletes the key, unless a token is encrypted with it.
  /// - Returns: the locations of tokens that are encrypted. If there are any, the key is not deleted.
  func removeKey() throws(StorageError) -> [String]
}
