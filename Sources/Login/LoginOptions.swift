internal import Accounts
internal import CallbackListener
package import HomelineOAuth
internal import Publish
package import Refresh
package import Timeline

/// How a login is to be done.
package struct LoginOptions: Sendable {
  /// How long to wait for the user.
  package var timeout: Duration
  /// Whether the provider shows a PIN instead of sending the browser back.
  package var isOutOfBand: Bool
  /// Whether the user types a code in on another device (RFC 8628), and no browser comes back.
  package var usesDevice: Bool
  /// Whether another user than before may take the account over; the former one's files are set aside.
  package var switchesUser: Bool
  /// Whether homeline presses the button of the authorisation page itself, which only the sandbox allows.
  package var pressesAuthorise: Bool

  package init(
    timeout: Duration = .seconds(300), isOutOfBand: Bool = false, usesDevice: Bool = false, switchesUser: Bool = false,
    pressesAuthorise: Bool = false
  ) {
    self.timeout = timeout
    self.isOutOfBand = isOutOfBand
    self.usesDevice = usesDevice
    self.switchesUser = switchesUser
    self.pressesAuthorise = pressesAuthorise
  }
}

/// What a login tells whoever asked for it, while it goes on.
package enum LoginProgress: Sendable {
  /// Send the user here. `callbackPort`: where the browser will come back to; `nil` when a PIN is to be typed in.
  case address(RequestURL, callbackPort: Int?)
  /// Have the user type this code in at this address, on any machine (RFC 8628 §3.3); `complete` has the code in it already.
  case code(String, at: String, complete: String?)
  /// Something the user should know.
  case notice(String)
  case authorised(User)
  /// Where the former user's files went.
  case setAside([String])
  /// The token is stored in this file.
  case stored(String)
  /// The first refresh has ended.
  case refreshed(RefreshReport)
}

/// What the browser is told at the end of a login.
extension CallbackPage {
  init(authorised user: User?, account: String) {
    let who = user.map { "@\(SafeText.line(of: $0.screenName))" } ?? "the account"
    self.init(
      "Authorised as \(who)", "The token is stored for the account “\(account)” on this computer.",
      "You can close this window; homeline fetches the timeline now.")
  }

  init(failure: Failure, _ end: LoginEnd) {
    switch end {
    case .refused(let reason):
      self.init(
        "You refused", "Nothing was authorised and nothing was stored.",
        "The provider says: \(SafeText.line(of: reason))")
    case .refusedUnnamed(let reason):
      self.init(
        "The browser came back with a refusal", "Nothing was authorised and nothing was stored.",
        "It says: \(SafeText.line(of: reason))",
        "Any web page can send a browser here with such words. If you did not refuse, log in again.")
    case .timedOut: self.init("Too late", "The login had ended before this page was asked for.")
    case .authorised, .failed: self.init("Not authorised", SafeText.line(of: failure.message), "Nothing was stored.")
    }
  }
}
