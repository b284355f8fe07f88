internal import Accounts
internal import CallbackListener
internal import Formats
internal import Timeline

/// The text that the browser shows about a login.
extension CallbackPage {
  init(authorised user: User?, account: String) {
    let title =
      switch user {
      case let user? where user.isUnknown: "Authorised"
      case let user?: "Authorised as @\(SafeText.line(of: user.screenName))"
      case nil: "Authorised as the account"
      }
    self.init(
      title, "The token is stored for the account “\(account)” on this computer.",
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

extension RedirectServer.Texts {
  static let login = RedirectServer.Texts(
    application: "homeline",
    unknown: CallbackPage(
      "No login is waiting for this", "The address belongs to another login, or to one that has ended.",
      "To begin a new one, run: homeline login"),
    otherUser: CallbackPage(
      "This login belongs to another user",
      "This page was opened by another user's program on this computer. Nothing was changed.",
      "If this login is yours anyway, copy this page's address into the terminal where homeline login is waiting.")
  )
}
