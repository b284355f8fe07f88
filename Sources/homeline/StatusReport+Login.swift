internal import CivilTime
internal import Store
internal import Timeline

extension StatusReport {
  /// By which protocol an account's token was given, until when it is good, and who has to do something about it.
  func login(of account: AccountStatus, _ outlook: TokenOutlook) -> String {
    "\(outlook.kind == "oauth1" ? "OAuth 1.0a" : "OAuth 2.0"): \(life(of: account, outlook))"
  }

  private func life(of account: AccountStatus, _ outlook: TokenOutlook) -> String {
    let again = "homeline login \(account.name)"
    if account.state?.problem?.code == .notAuthorised || outlook.refusal == .final {
      return "it has ended; log in again: \(again)"
    }
    if let end = outlook.loginNeededBy {
      guard end > now else { return "the token has ended at \(end.rfc3339); log in again: \(again)" }
      return "log in again by \(end.rfc3339.prefix { $0 != "T" }) (\(DaysLeft.words(until: end, at: now))): \(again)"
    }
    guard let end = outlook.expiresAt else { return "the token is good until somebody takes it back" }
    if outlook.refusal == .repeated {
      let state = end > now ? "is good until" : "ended at"
      return "the server refuses to renew the token, which \(state) \(end.rfc3339); "
        + "if it stays so, log in again: \(again)"
    }
    guard end > now else { return "the token ended at \(end.rfc3339), and homeline renews it when it is needed" }
    return "the token is good until \(end.rfc3339), and homeline renews it by itself"
  }
}
