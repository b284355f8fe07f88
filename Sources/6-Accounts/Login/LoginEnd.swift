package import Accounts

/// The result of a login.
package enum LoginEnd: Sendable, Equatable {
  /// The token is stored.
  case authorised
  /// The user or the provider refused. The value is the provider's reason.
  case refused(String)
  /// The browser was redirected back with a refusal that is not tied to a login. The value is the reason given in the redirect. Any web
  /// page can cause such a redirect.
  case refusedUnnamed(String)
  /// The user did not finish in time.
  case timedOut
  case failed(OperationError)
}
