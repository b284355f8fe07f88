package import Control
internal import Platform
package import Settings

extension Command {
  /// `homeline login`.
  package struct Login: OwnerCommand {
    package static let name = "login"
    package static let documentation = CommandDocumentation(
      .accounts, "authorise an account",
      description: [
        """
        Prints the address at which you authorise the account on a line of its own, opens it in the browser (`$BROWSER`, else
        `xdg-open`) and waits for the redirect. You can also paste the redirected URL or the verifier; whichever comes first wins.
        """,
        """
        The command ends after the account's first refresh, with the exit code of that refresh. ACCOUNT can be left out when exactly one
        account is enabled.
        """,
      ],
      details: [
        """
        With `--pin` the provider shows a PIN to type in, and homeline opens no port. OAuth 1.0a has this, and of the providers with
        OAuth 2.0 only `mastodon`; with others the command ends with 78.
        """,
        """
        With `--device` (RFC 8628) the command prints an address and a code, each on a line of its own, and on a terminal that is wide
        enough the address as a QR code. Type the code in on any device. A server without a device grant ends the command with 78.
        """,
        """
        Only one of `--pin`, `--device` and `--press-authorise` can be given. `--press-authorise` works with accounts of the provider
        `sandbox` only, for machines without a browser.
        """,
        """
        A word on standard input without a digit and of fewer than 16 letters counts as a verifier only when it is entered again. The end
        of standard input ends pasting, not the login. Other requests to the callback port are answered and change nothing.
        """,
        """
        A login as another user than before is refused (77) unless `--switch-user` is given; then the files of the former user are moved
        aside and named. An account can be logged in again while its token is valid: that token stays until the new one is stored.
        """,
      ],
      examples: [
        CommandExample("homeline login", "Authorise the only enabled account."),
        CommandExample(
          "homeline login bird --device", "Type a code in on a telephone instead of using a browser here."),
      ],
      exitCodes: [
        (.cannotCreate, "the callback port cannot be opened"),
        (.temporary, "another login of the same account was begun"),
        (.notAuthorised, "refused, authorised by another user, or nobody came back in time"),
      ])

    private static let accountOperand = Operand(.account, .optional)
    private static let noBrowser = Flag("--no-browser", "only print the address")
    // A day: a user who needs longer has left.
    private static let timeoutOption = Option(
      "--timeout", .number("SECONDS", in: 1...86_400), default: Int64(300), "wait for the redirect this long")
    private static let pin = Flag("--pin", "have the provider show a PIN to type in, instead of a redirect")
    private static let device = Flag("--device", "type a code in on any other device, instead of a redirect")
    private static let switchUser = Flag(
      "--switch-user", "accept another user than before; the data of the former user is set aside")
    private static let pressAuthorise = Flag(
      "--press-authorise", "press the button of the page itself; only the sandbox allows that")

    package static var operands: [any DeclaredOperand] { [accountOperand] }
    package static var options: [any DeclaredOption] {
      [noBrowser, timeoutOption, pin, device, switchUser, pressAuthorise]
    }

    /// Nil means the only enabled account.
    package var account: AccountName?
    package var opensBrowser: Bool
    /// How long to wait for the redirect.
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

    package init(_ arguments: Arguments) throws(UsageError) {
      let presses = arguments.has(Self.pressAuthorise)
      self.init(
        account: try arguments.value(Self.accountOperand), opensBrowser: !arguments.has(Self.noBrowser) && !presses,
        usesPIN: arguments.has(Self.pin), usesDevice: arguments.has(Self.device),
        switchesUser: arguments.has(Self.switchUser), pressesAuthorise: presses)
      let ways = [Self.pin, Self.device, Self.pressAuthorise].filter { arguments.has($0) }.map(\.description.name)
      if ways.count > 1 { throw arguments.error("\(ways[0]) and \(ways[1]) are two ways to log in; take one") }
      if let seconds = try arguments.value(Self.timeoutOption) { timeout = .seconds(seconds) }
    }

    package static var waitsForPictures: Bool { true }

    package var request: LoginRequest {
      LoginRequest(
        account: account?.text, timeoutSeconds: Int(timeout.components.seconds), usesPIN: usesPIN,
        usesDevice: usesDevice, switchesUser: switchesUser, pressesAuthorise: pressesAuthorise)
    }

    package func makeDisplay(_ context: DisplayContext) -> any EventDisplay {
      LoginTerminal(
        browser: opensBrowser ? Browser(variables: context.environment.variables) : nil,
        pressesAuthorise: pressesAuthorise, context)
    }
  }
}
