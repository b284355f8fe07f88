package import Settings

/// Protects stored tokens with a key kept elsewhere. It can be used from any queue.
package protocol ProtectedStorage: Sendable {
  /// How tokens are currently stored.
  var current: TokenProtection { get }
  /// Stores tokens in this form from now on. Tokens that are already stored do not change; see ``TokenStorage/applyProtection()``.
  func adopt(_ protection: TokenProtection)
  /// Rereads the key for new tokens, because the user may have replaced it.
  /// - Throws: `.keyUnavailable` or `.keyMissing`. A known key then remains in use.
  func readKeyAgain() throws(StorageError)
  /// Calls back, on any queue, whenever a key becomes available again.
  func onKeyAvailable(_ body: @escaping @Sendable () -> Void)
  /// Deletes the key, unless a token is encrypted with it.
  /// - Returns: the locations of encrypted tokens. If there are any, the key is not deleted.
  func removeKey() throws(StorageError) -> [String]
}
