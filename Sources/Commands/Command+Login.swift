package import Settings

extension Command {
  /// The arguments of `login`.
  package struct Login: Sendable, Hashable {
    /// Nil means the only enabled account.
    package var account: AccountName?
    package var opensBrowser: Bool
    /// How long the redirect is waited for.
    package var timeout: Duration
    /// Whether the provider shows a verifier instead of redirecting (RFC 5849 §2.1, `oob`).
    package var usesPIN: Bool
    /// Whether a code is typed in on another device (RFC 8628); not together with a PIN.
    package var usesDevice: Bool
    package var switchesUser: Bool
    /// Whether homeline presses the button of the authorisation page itself, which only the sandbox allows.
    package var pressesAuthorise: Bool

    package init(
      account: AccountName? = nil, opensBrowser: Bool = true, timeout: Duration = .seconds(300), usesPIN: Bool = false,
      usesDevice: Bool = false, switchesUser: Bool = false, pressesAuthorise: Bool = false
    ) {
      self.account = account
      self.opensBrowser = opensBrowser
      self.timeout = timeout
      self.usesPIN = usesPIN
      self.usesDevice = usesDevice
      self.switchesUser = switchesUser
      self.pressesAuthorise = pressesAuthorise
    }
  }
}
