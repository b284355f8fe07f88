internal import Accounts
internal import CallbackListener
package import HomelineOAuth
package import Refresh
package import Timeline

/// Login options.
package struct LoginOptions: Sendable {
  /// The time to wait for the user.
  package var timeout: Duration
  /// Whether the provider shows a PIN instead of redirecting the browser.
  package var isOutOfBand: Bool
  /// Whether the user enters a code on another device (RFC 8628), without a redirect.
  package var usesDevice: Bool
  /// Whether the user already has a token, which another program obtained.
  package var usesToken: Bool
  /// Whether a different user may take over the account. The previous user's files are moved aside.
  package var switchesUser: Bool
  /// Whether the account was added for this login. If the user has an account already, that one is used.
  package var isForNewAccount: Bool
  /// Whether homeline itself presses the button on the authorisation page. Only the sandbox allows this.
  package var pressesAuthorise: Bool

  package init(
    timeout: Duration = .seconds(300), isOutOfBand: Bool = false, usesDevice: Bool = false, usesToken: Bool = false,
    switchesUser: Bool = false, isForNewAccount: Bool = false, pressesAuthorise: Bool = false
  ) {
    self.isForNewAccount = isForNewAccount
    self.usesToken = usesToken
    self.timeout = timeout
    self.isOutOfBand = isOutOfBand
    self.usesDevice = usesDevice
    self.switchesUser = switchesUser
    self.pressesAuthorise = pressesAuthorise
  }
}

/// The progress of a login, as reported to its caller.
package enum LoginProgress: Sendable {
  /// Send the user to this address. `callbackPort` is the port of the redirect; `nil` if the user types a PIN.
  case address(RequestURL, callbackPort: Int?)
  /// Have the user enter this code at this address, on any device (RFC 8628 §3.3). `complete` is an address that already contains the code.
  case code(String, at: String, complete: String?)
  /// Have the user type a user name and a password.
  case password
  /// Have the user type a token, in one or two lines.
  case token(lines: Int)
  /// A message for the user.
  case notice(String)
  case authorised(User)
  /// The previous user's files were moved to these folders.
  case setAside([String])
  /// The token is stored in this file.
  case stored(String)
  /// A page of the first refresh has been stored, and another one follows.
  case refreshing(RoundProgress)
  /// The first refresh has ended.
  case refreshed(RefreshReport)
}
