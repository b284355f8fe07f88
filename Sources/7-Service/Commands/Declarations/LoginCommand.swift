package import ControlProtocol
internal import Platform
package import Settings

extension Command {
  /// `homeline login`.
  package struct Login: OwnerCommand {
    package static let name = "login"
    package static let isPrepared = true
    package static let documentation = CommandDocumentation(
      .accounts, "authorise an account, or add one for a server",
      description: [
        .paragraph(
          """
          `homeline login SERVER` adds an account: SERVER is a host such as `social.example`, a handle or URL such as `@me@social.example`
          or `https://social.example/@me`, or one of \(providers). The host can contain non-ASCII letters, and the URL a path, as an
          OAuth 2.0 issuer's can. If the host refers to another server, that server is used. The command detects the server's API, proposes
          a name, asks what to publish unless the configuration specifies it, writes the account to `config.d/NAME.json` beside the
          configuration, logs in as described below, shows the first posts, and offers to start the service. Each step is reported. Without
          a terminal, the command asks no questions.
          """),
        """
        If accounts on this server exist, the command offers to log in to them again, or to add an account for another user. A user has one
        account: if you authorise a user whose account exists, that account gets the token, and no other one is added.
        """,
        """
        Prints the authorisation URL on its own line, opens it in the browser (`$BROWSER`, otherwise
        `xdg-open`) and waits for the redirect. You can also paste the redirect URL or the verifier; whichever arrives first is used.
        """,
        """
        For a drive, you type a user name and a password instead. The password is not stored.
        """,
        """
        The command exits after the account's first refresh, with the exit code of that refresh. Without an argument, the only enabled
        account is authorised; if there is none, or several, the command lists what you can log in to and, on a terminal, asks. If the argument is the name of both an account and a server, it means the account.
        """,
      ],
      details: [
        """
        With `--pin`, the provider shows a PIN that you enter, and homeline does not open a port. This works with OAuth 1.0a and,
        among the OAuth 2.0 providers, only with `mastodon`; with others, the command exits with 78.
        """,
        """
        With `--device` (RFC 8628), the command prints a URL and a code, each on its own line, and, if the terminal is large enough, a QR
        code of the URL. Enter the code on any device. If the server does not support the device grant, the command exits with 78.
        """,
        """
        With `--with-token`, the command reads from standard input a token that another program obtained for the same client: one line or,
        with OAuth 1.0a, two: the token, then its secret. The token is stored once the provider has identified its user. It cannot be
        renewed.
        """,
        """
        With `--import`, the command adds an account for each login of `t` (`~/.trc`), `twurl` (`~/.twurlrc`) and `toot`
        (`$XDG_CONFIG_HOME/toot/config.json`), with its token. These files are not changed. An account that was added before is
        skipped, and a token that does not work adds none. The logins of `t` and `twurl` belong to X, which charges for posts, unless
        SERVER, a server with GNU social's API, is given: the files do not contain the server. With SERVER, only its logins are
        added.
        """,
        """
        An incomplete login in such a file is reported and left out. A file that other users own, can write to or can replace is not
        read: with a login that they put there, you would use their account.
        """,
        """
        With `--allow posting`, the login also asks for the right to post, repost, like, bookmark and delete: homeline adds the scopes that
        this provider requires to the account's `scopes` in the configuration. Until then, an account can only read. With OAuth 1.0a and
        with Weibo, the permissions set for the application on the provider's website decide instead.
        """,
        """
        Only one of `--pin`, `--device`, `--with-token`, `--import` and `--press-authorise` can be given. `--press-authorise` is for machines without a
        browser, and works only with `sandbox` accounts.
        """,
        """
        A line on standard input that has no digits and fewer than 16 letters counts as a verifier only if it is entered again.
        EOF on standard input does not cancel the login. Other requests to the callback port have no effect.
        """,
        """
        A login as a different user is refused (77) unless `--switch-user` is given; the previous user's files are then moved aside and
        listed. You can log in again while the token is still valid: the old token is replaced only when the new one is stored.
        """,
      ],
      examples: [
        CommandExample("homeline login social.example", "Add an account on a server, and authorise it."),
        CommandExample("homeline login", "Authorise the only enabled account."),
        CommandExample("homeline login bird --allow posting", "Allow homeline to post as the account's user."),
        CommandExample(
          "homeline login bird --device", "Enter a code on a phone instead of using a browser here."),
        CommandExample("homeline login --import", "Add the accounts of t, twurl and toot without logging in again."),
      ],
      exitCodes: [
        (
          .usage,
          "no name was given, and there is not exactly one enabled account; or the name is neither an account's nor a server's"
        ),
        (.badData, "with --import: a file of another program cannot be read, or contains only incomplete logins"),
        (.cannotCreate, "the callback port cannot be opened"),
        (.temporary, "another login for the same account was started"),
        (.notAuthorised, "refused, authorised by another user, or not completed in time"),
        (
          .unavailable,
          "the server cannot be reached, or has no API that homeline supports; or no login to import was found"
        ),
      ])

    /// The providers with their own servers, for the description.
    private static var providers: String {
      let names = providerNames.map { "`\($0)`" }
      return "\(names.dropLast().joined(separator: ", ")) and \(names.last ?? "")"
    }

    /// The providers with their own servers, most users first.
    private static var providerNames: [String] {
      let own = ProviderDefaults.known.filter { !$0.value.serverNames.isEmpty }.keys
      let known = ["x", "weibo", "google", "microsoft", "fastmail"].filter { own.contains($0) }
      return known + own.filter { !known.contains($0) }.sorted()
    }

    /// The word for `--import`, for users who choose from the list of names.
    package static let importWord = "import"

    /// The names that the command accepts in addition to accounts and servers, with an explanation of each.
    package static var otherTargets: [(name: String, explanation: String)] {
      providerNames.map { ($0, "with your own application") } + [(importWord, "logins of t, twurl, toot")]
    }

    private static let targetOperand = Operand(
      ArgumentType<String>.text("ACCOUNT", .accountOrServer), .optional, placeholder: "ACCOUNT|SERVER")
    private static let yes = Flag(
      "--yes", "for a new account: ask no questions, accept all proposals, and start the service")
    private static let nameOption = Option(
      "--name", .account, placeholder: "NAME", "for a new account: its name")
    private static let noBrowser = Flag("--no-browser", "only print the URL")
    // The maximum is a day, because a user who takes longer is no longer waiting.
    private static let timeoutOption = Option(
      "--timeout", .number("SECONDS", in: 1...86_400), default: Int64(300), "wait for the redirect this long")
    private static let pin = Flag("--pin", "enter a PIN that the provider shows, instead of using a redirect")
    private static let device = Flag("--device", "enter a code on any other device, instead of using a redirect")
    private static let withToken = Flag(
      "--with-token", "instead of using a redirect, read from standard input a token that another program obtained")
    private static let importFlag = Flag(
      "--import", "add the accounts that t, twurl and toot are logged in to, with their tokens")
    private static let switchUser = Flag(
      "--switch-user", "accept a different user, and move the previous user's data aside")
    /// What `--allow` can allow in addition to reading the timeline.
    package enum Permission: String, Sendable, Hashable, CaseIterable { case posting }

    private static let allowOption = Option<Permission>(
      "--allow", .choice, "also ask for the right to post, repost, like, bookmark and delete")
    private static let onePerUser = Flag(
      "--one-per-user", "if the user already has another account, give the token to that account")
    private static let noPictures = Flag(
      "--no-pictures", "without a service: exit before the page's pictures have been fetched")
    private static let pressAuthorise = Flag(
      "--press-authorise", "press the page's button automatically; only for the sandbox")

    package static var operands: [OperandDescription] { [targetOperand.description] }
    package static var options: [any DeclaredOption] {
      [
        yes, nameOption, allowOption, importFlag, noBrowser, timeoutOption, pin, device, withToken, switchUser,
        onePerUser, noPictures, pressAuthorise,
      ]
    }
    package static let json: JSONOutput? = JSONOutput(schema: "login")
    package static let needsDisplay = true

    /// The account or the server, as it was typed; nil means the only enabled account.
    package var target: String?
    /// The name of a new account; nil means the proposed name.
    package var accountName: AccountName?
    /// Whether the command adds a new account with the proposed values, without asking.
    package var acceptsProposals = false
    package var opensBrowser: Bool
    /// The time to wait for the redirect.
    var timeout: Duration
    /// Whether the provider shows a verifier instead of redirecting (RFC 5849 §2.1, `oob`).
    var usesPIN: Bool
    /// Whether the user types a code on another device (RFC 8628). This option cannot be combined with `usesPIN`.
    var usesDevice: Bool
    /// Whether a token is read from standard input. This option cannot be combined with the two above.
    package var usesToken = false
    /// Whether the accounts of other programs are added.
    package var importsAccounts = false
    /// The right that the login asks for in addition to reading; nil for none.
    package var allows: Permission?
    var switchesUser: Bool
    /// Whether the token goes to the user's other account, if there is one.
    package var isForNewAccount = false
    package var waitsForPictures = true
    /// Whether homeline presses the button on the authorisation page. Only the sandbox allows this.
    var pressesAuthorise: Bool

    init(
      account: AccountName? = nil, opensBrowser: Bool = true, timeout: Duration = .seconds(300), usesPIN: Bool = false,
      usesDevice: Bool = false, switchesUser: Bool = false, pressesAuthorise: Bool = false
    ) {
      target = account?.text
      self.opensBrowser = opensBrowser
      self.timeout = timeout
      self.usesPIN = usesPIN
      self.usesDevice = usesDevice
      self.switchesUser = switchesUser
      self.pressesAuthorise = pressesAuthorise
    }

    /// Creates the login to an account in the configuration that another command needs.
    package init(loggingInTo account: AccountName) { self.init(account: account) }

    package init(_ arguments: Arguments) throws(UsageError) {
      let presses = arguments.has(Self.pressAuthorise)
      self.init(
        opensBrowser: !arguments.has(Self.noBrowser) && !presses,
        usesPIN: arguments.has(Self.pin), usesDevice: arguments.has(Self.device),
        switchesUser: arguments.has(Self.switchUser), pressesAuthorise: presses)
      target = try arguments.value(Self.targetOperand)
      // Anything that cannot be a server must be an account.
      if let target, target.utf8.allSatisfy({ $0 < 0x80 && !"@.:/".utf8.contains($0) }),
        ProviderDefaults.byServerName[target.lowercased()] == nil
      {
        _ = try arguments.account(target)
      }
      accountName = try arguments.value(Self.nameOption)
      acceptsProposals = arguments.has(Self.yes)
      usesToken = arguments.has(Self.withToken)
      allows = try arguments.value(Self.allowOption)
      isForNewAccount = arguments.has(Self.onePerUser)
      importsAccounts = arguments.has(Self.importFlag)
      if allows != nil, importsAccounts || usesToken {
        let other = (importsAccounts ? Self.importFlag : Self.withToken).description.name
        throw arguments.error("\(other) uses tokens as they are: omit \(Self.allowOption.description.name)")
      }
      if importsAccounts, accountName != nil {
        throw arguments.error("--import adds several accounts: omit --name")
      }
      let ways = [Self.pin, Self.device, Self.withToken, Self.pressAuthorise, Self.importFlag]
        .filter { arguments.has($0) }.map(\.description.name)
      if ways.count > 1 { throw arguments.error("\(ways[0]) and \(ways[1]) cannot be combined; use one of them") }
      waitsForPictures = !arguments.has(Self.noPictures)
      if let seconds = try arguments.value(Self.timeoutOption) { timeout = .seconds(seconds) }
    }

    /// Whether an option is only for a new account.
    package var addsAccount: Bool { accountName != nil || acceptsProposals }

    /// Returns this login with the name of the added account.
    package func named(_ account: AccountName) -> Login {
      var login = self
      login.target = account.text
      login.accountName = nil
      login.acceptsProposals = false
      return login
    }

    /// Returns the arguments for another program to log in to this account in the same way.
    package func arguments(for account: AccountName) -> [String] {
      let flags = [
        (Self.noBrowser, !opensBrowser && !pressesAuthorise), (Self.pin, usesPIN), (Self.device, usesDevice),
        (Self.withToken, usesToken), (Self.switchUser, switchesUser),
        (Self.onePerUser, isForNewAccount), (Self.noPictures, !waitsForPictures),
        (Self.pressAuthorise, pressesAuthorise),
      ]
      return [Self.name, account.text, Self.timeoutOption.description.name, "\(timeout.components.seconds)"]
        + flags.filter(\.1).map(\.0.description.name)
    }

    package var request: LoginRequest {
      LoginRequest(
        account: target, timeoutSeconds: Int(timeout.components.seconds), usesPIN: usesPIN,
        usesDevice: usesDevice, usesToken: usesToken, switchesUser: switchesUser,
        isForNewAccount: isForNewAccount, pressesAuthorise: pressesAuthorise)
    }

    package func makeDisplay(_ context: DisplayContext) -> any EventDisplay {
      LoginTerminal(
        looksForBrowser: opensBrowser, pressesAuthorise: pressesAuthorise, readsToken: usesToken, context)
    }
  }
}
