package import Time

/// The reason a timeline is not up to date, for its readers.
package struct Problem: Sendable, Hashable {
  /// The complete list of `error.code` values in the published file.
  package enum Code: String, Sendable, CaseIterable {
    case notAuthorised = "not-authorised"
    case rateLimited = "rate-limited"
    case network
    /// The provider responds, but not with a timeline.
    case provider
    /// The provider does not offer this timeline to this client, or no longer does.
    case closed
    /// The provider has locked or suspended the user's account.
    case locked
    /// The provider demands payment.
    case paused
    /// The account's own budget has been used up; no request was sent.
    case budget
    case storage
    case configuration
    case secretUnavailable = "secret-unavailable"
  }

  package let code: Code
  package let message: String
  /// The time of the next attempt; `nil` if the user must act first.
  package let retryAt: Timestamp?

  package init(code: Code, message: String, retryAt: Timestamp? = nil) {
    self.code = code
    self.message = message
    self.retryAt = retryAt
  }
}
