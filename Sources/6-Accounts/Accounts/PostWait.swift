package import Time

/// Why a post has to wait.
package struct PostWait: Sendable, Hashable {
  /// A sentence for the user, without a full stop.
  package let reason: String
  /// The time of the next attempt; `nil` if it is not known.
  package let until: Timestamp?

  package init(reason: String, until: Timestamp?) {
    self.reason = reason.hasSuffix(".") ? String(reason.dropLast()) : reason
    self.until = until
  }
}
