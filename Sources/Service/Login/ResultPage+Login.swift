internal import Timeline

/// What the browser is told at the end of a login.
extension ResultPage {
  init(authorised user: User?, account: String) {
    let who = user.map { "@\($0.screenName)" } ?? "the account"
    self.init(
      "Authorised as \(who)", "The token is stored for the account “\(account)” on this computer.",
      "You can close this window; homeline fetches the timeline now.")
  }

  init(failure: Failure, _ end: LoginEnd) {
    switch end {
    case .refused(let reason):
      self.init("You refused", "Nothing was authorised and nothing was stored.", "The provider says: \(reason)")
    case .refusedUnnamed(let reason):
      self.init(
        "The browser came back with a refusal", "Nothing was authorised and nothing was stored.", "It says: \(reason)",
        "Any web page can send a browser here with such words. If you did not refuse, log in again.")
    case .timedOut: self.init("Too late", "The login had ended before this page was asked for.")
    case .authorised, .failed: self.init("Not authorised", failure.message, "Nothing was stored.")
    }
  }
}
