internal import Accounts
internal import CallbackListener
internal import Publish
internal import Timeline

/// The pages that the browser shows at the end of a login.
extension CallbackPage {
  init(authorised user: User?, account: String) {
    let who = user.map { "@\(SafeText.line(of: $0.screenName))" } ?? "the account"
    self.init(
      "Authorised as \(who)", "The token is stored for the account “\(account)” on this computer.",
      "You can close this window; homeline is now fetching the timeline.")
  }

  init(failure: OperationError, _ end: LoginEnd) {
    switch end {
    case .refused(let reason):
      self.init(
        "You refused", "Nothing was authorised and nothing was stored.",
        "The provider says: \(SafeText.line(of: reason))")
    case .refusedUnnamed(let reason):
      self.init(
        "The browser came back with a refusal", "Nothing was authorised and nothing was stored.",
        "It says: \(SafeText.line(of: reason))",
        "Any web page can send a browser here with such a refusal. If you did not refuse, log in again.")
    case .timedOut: self.init("Too late", "The login had already ended when this page was requested.")
    case .authorised, .failed: self.init("Not authorised", SafeText.line(of: failure.message), "Nothing was stored.")
    }
  }
}
