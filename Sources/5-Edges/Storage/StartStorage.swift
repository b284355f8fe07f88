/// Stores when an account's last request was sent, for the next process in case this process exits before it stores the outcome.
package protocol StartStorage: Sendable {
  /// Returns the last request started since the machine booted; `nil` if there is none or it cannot be read.
  func read() -> RequestStart?
  /// Replaces the last start. The new value need not survive a power failure.
  func write(_ start: RequestStart) throws(StorageError)
}
