internal import Accounts
internal import Bytes
internal import Providers
internal import Settings
internal import Storage
internal import Time
internal import Timeline

/// The sentences that a login reports to its user.
struct LoginNotices {
  let account: Account
  let method: LoginMethod
  /// The address that the provider redirects to; `nil` in a login without a redirect.
  let callbackAddress: RequestURL?
  let callbackPortVaries: Bool

  // MARK: The token

  /// Returns the remarks about a token that has been stored.
  /// - Parameter issued: the grant as the server issued it.
  func afterStoring(_ stored: TokenGrant, issued: TokenGrant) -> [String] {
    [missingScopes(of: issued), expiry(of: stored)].compactMap(\.self)
  }

  /// Reports scopes that the server has left out, for example because the user did not select them.
  private func missingScopes(of grant: TokenGrant) -> String? {
    guard case .oauth2(let profile) = account.provider.authorization, let granted = grant.bearer?.scope else {
      return nil
    }
    let missing = GrantedScopes(granted).missing(from: profile.scopes)
    guard !missing.isEmpty else { return nil }
    return
      "Warning: the server did not grant \(missing.joined(separator: ", ")), so programs may be refused. If you left a permission "
      + "out on its page, log in again: homeline login \(account.name)"
  }

  /// Reports when the login expires, if it cannot be renewed with a refresh token.
  private func expiry(of grant: TokenGrant) -> String? {
    guard let end = grant.loginExpiresAt else { return nil }
    let now = account.authority.providerClient.serverNow(supposing: grant.bearer?.clockOffset ?? .zero)
    return
      "The server did not provide a refresh token, so this login expires on \(end.rfc3339) (\(DaysLeft.text(until: end, at: now))). "
      + "Log in again before then: homeline login \(account.name)"
  }

  // MARK: A user with another account

  func isAlsoUser(_ user: User, of other: AccountName) -> String {
    "@\(user.screenName) is also the user of the account \(other), so each of its posts is fetched twice. To keep one "
      + "account, remove the other: homeline account remove \(account.name)"
  }

  func hasAccount(_ holder: Account, _ user: User, _ fate: TokenFate) -> String {
    "@\(user.screenName) already has the account \(holder.name), so no other account is added"
      + (fate == .given ? "" : "; it keeps its own token")
  }

  func needsLogin(_ holder: Account, of user: User) -> OperationError {
    OperationError(
      .notAuthorised,
      "@\(user.screenName) already has the account \(holder.name), which needs its own login: homeline login \(holder.name)"
    )
  }

  // MARK: The end

  /// Returns the failure that a login ended with; `nil` if it succeeded.
  func failure(at end: LoginEnd) -> OperationError? {
    switch end {
    case .authorised: nil
    case .refused(let reason): OperationError(.notAuthorised, "you refused (the provider says: \(reason))")
    case .refusedUnnamed(let reason):
      OperationError(
        .notAuthorised,
        "the browser came back with a refusal (it says: \(reason)). Any web page can send one: if you did not refuse, log in again"
      )
    case .timedOut:
      OperationError(
        .notAuthorised,
        "nobody authorised homeline within \(method.options.timeout.components.seconds) s\(adviceOnSilence)")
    case .failed(let failure) where failure.isAboutCallback:
      failure.saying(failure.message + (registration.map { " \($0)" } ?? ""))
    case .failed(let failure): failure
    }
  }

  /// Advice if nothing came back from the user's visit. A provider that refuses the client or the callback address shows the error only in
  /// the user's browser.
  private var adviceOnSilence: String {
    guard method.usesBrowser, let keys = try? account.core.dependencies.keys.get() else { return "" }
    let check: String
    switch keys {
    case .selfRegistered:
      return ". If the page said that the client is unknown, log in again: homeline registers itself again"
    case .oauth1: check = "check that the application is still registered there"
    case .oauth2(let id, _): check = "check that the account's client_id, \(id), is still registered there"
    }
    return ". If the page showed an error, \(check)" + (registration.map { ", with the callback address. \($0)" } ?? "")
  }

  /// A sentence that states the callback address to register with the provider; `nil` in a login without a redirect.
  private var registration: String? {
    guard let callbackAddress else { return nil }
    let address = "The address to register is \(callbackAddress.text)"
    return callbackPortVaries
      ? address + " (its port changes with each login: set callback.port in the configuration first)" : address
  }
}
