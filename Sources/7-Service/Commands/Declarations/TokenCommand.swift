package import ControlProtocol
internal import Platform
package import Settings

extension Command {
  /// `homeline token`.
  package struct Token: OwnerCommand {
    package static let name = "token"
    package static let isPrepared = true
    package static let documentation = CommandDocumentation(
      .accounts, "print a valid access token",
      description: [
        """
        Prints an account's OAuth 2.0 access token, followed by a line feed, for scripts and mail programs. A token that is about to expire
        is renewed first; with `--renew`, any token is renewed first. Anyone who has the token can act as you until it expires.
        """,
        """
        OAuth 1.0a accounts have no such token (64): their requests are signed instead; see `homeline help sign`.
        """,
      ],
      details: [
        """
        The command reads the token from its file. If the token expires within a minute or its renewal is due, the state owner renews
        it first. If the token was issued by a server other than the one in the account's settings, the command does not print it, and exits
        with 78.
        """
      ],
      examples: [
        CommandExample(
          "curl -H \"Authorization: Bearer $(homeline token bird)\" URL", "Send a request with the account's token.")
      ],
      exitCodes: [
        (.unavailable, "the token cannot be renewed now"), (.temporary, "the token cannot be renewed now"),
        (.notAuthorised, "a new login is needed"),
      ])

    private static let accountOperand = Operand(.account, .optional)
    private static let renew = Flag("--renew", "renew the token first, because the provider has refused it")

    package static var operands: [OperandDescription] { [accountOperand.description] }
    package static var options: [any DeclaredOption] { [renew] }
    package static let json: JSONOutput? = JSONOutput(schema: "token")

    /// The account; nil means the only enabled account.
    package var account: AccountName?
    /// Whether the token is renewed even if it is not due.
    package var renews = false

    init(_ account: AccountName? = nil, renews: Bool = false) {
      self.account = account
      self.renews = renews
    }

    package init(_ arguments: Arguments) throws(UsageError) {
      self.init(try arguments.value(Self.accountOperand), renews: arguments.has(Self.renew))
    }

    package var request: IssueTokenRequest { IssueTokenRequest(account: account?.text, renews: renews) }

    package func makeDisplay(_ context: DisplayContext) -> any EventDisplay { TokenDisplay() }
  }
}

/// Prints the issued token.
private struct TokenDisplay: EventDisplay {
  private var code = ExitCode.done

  mutating func show(_ event: any ControlEvent) {
    if let token = event as? TokenEvent { code = TokenTerminal.show(token.accessToken) }
    if let notice = event as? NoticeEvent { Terminal.say("homeline: \(notice.message)") }
  }

  func finish() -> ExitCode { code }
}
