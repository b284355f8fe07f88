package import Time

/// The next attempt after a failed refresh.
package struct Retry: Sendable, Hashable {
  package let at: Timestamp
  /// Whether a running service makes it.
  package let isByService: Bool
  /// When the timeline last arrived, if the server now responds that it does not exist; otherwise `nil`.
  package let workedAt: Timestamp?
}
