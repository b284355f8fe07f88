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
  /// Whether the account was added for this login. If the user already has an account, that account is used.
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
