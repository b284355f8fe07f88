package import CivilTime

/// Why a timeline is not as fresh as it should be, in words for its reader.
package struct Problem: Sendable, Hashable {
  /// The closed list of `error.code` in the published file.
  package enum Code: String, Sendable, CaseIterable {
    case notAuthorised = "not-authorised"
    case rateLimited = "rate-limited"
    case network
    /// The provider answers, but not with a timeline.
    case provider
    /// The provider does not offer this timeline (any more) to this client.
    case closed
    /// The provider has locked or suspended the user's account there.
    case locked
    /// The provider wants money or more credit before it answers again.
    case paused
    /// A limit of the account's own budget is reached; nothing was asked.
    case budget
    case storage
    case configuration
    case secretUnavailable = "secret-unavailable"
  }

  package let code: Code
  package let message: String
  /// When it makes sense to ask again; `nil` when the user has to do something first.
  package let retryAt: Timestamp?

  package init(code: Code, message: String, retryAt: Timestamp? = nil) {
    self.code = code
    self.message = message
    self.retryAt = retryAt
  }
}
