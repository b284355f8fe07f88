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
