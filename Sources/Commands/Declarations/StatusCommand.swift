package import Settings

extension Command {
  /// `homeline status`.
  package struct Status: CommandDeclaration {
    package static let name = "status"
    package static let documentation = CommandDocumentation(
      .accounts, "show the state of each account",
      description: [
        """
        Shows for each account who authorised it, its last and next refresh, the last error, and the paths of its files; and what the
        service, or another command, is doing with it. Asks no provider, and works with a configuration that has mistakes.
        """
      ],
      details: [
        """
        Accounts that are not enabled are shown with `--all`, by their name, or in JSON. Accounts that have files but are no longer in
        the configuration are listed too.
        """,
        """
        Of a token the command says until when it is valid, and whether homeline renews it or you have to log in again. Where reading
        costs money, it says how much was spent today and this month (UTC), and how much a month can cost at most.
        """,
        """
        With `--json` the output is one object with a member `schema`; it also has the effective settings.
        """,
      ],
      examples: [
        CommandExample("homeline status --json | jq -r '.accounts[].account'", "Print the names of all accounts.")
      ])

    private static let accountOperand = Operand(.account, .optional)
    private static let json = Flag("--json", "print JSON, with the effective settings")
    private static let all = Flag("--all", "also accounts that are not enabled (JSON always has them)")

    package static var operands: [any DeclaredOperand] { [accountOperand] }
    package static var options: [any DeclaredOption] { [json, all] }

    /// Nil means all accounts.
    package var account: AccountName?
    package var isJSON: Bool
    package var showsAll: Bool

    package init(_ account: AccountName? = nil, isJSON: Bool = false, showsAll: Bool = false) {
      self.account = account
      self.isJSON = isJSON
      self.showsAll = showsAll
    }

    package init(_ arguments: Arguments) throws(UsageError) {
      self.init(
        try arguments.value(Self.accountOperand), isJSON: arguments.has(Self.json), showsAll: arguments.has(Self.all))
    }
  }
}
