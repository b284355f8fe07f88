/// The properties of a provider that concern all of an account's requests.
package struct ProviderTraits: Sendable, Hashable {
  /// The number of requests that a user may send per day, if the provider counts by day and does not report how many are left;
  /// otherwise `nil`.
  package var requestsPerDay: Int?
  /// The maximum number of requests for one account within a minute. Normal use stays far below this number. More requests indicate a bug,
  /// and are not sent.
  package var requestsPerMinute: Int
  /// A limit on the provider's logins that its responses do not report; `nil` if there is none.
  package var loginLimit: LoginLimit?

  package init(
    requestsPerDay: Int? = nil, requestsPerMinute: Int = 60, loginLimit: LoginLimit? = nil
  ) {
    self.requestsPerDay = requestsPerDay
    self.requestsPerMinute = requestsPerMinute
    self.loginLimit = loginLimit
  }
}
