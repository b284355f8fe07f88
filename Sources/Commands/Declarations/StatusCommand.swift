package import Settings

extension Command {
  /// `homeline status`.
  package struct Status: CommandDeclaration {
    package static let name = "status"
    package static let documentation = CommandDocumentation(
      .accounts, "show the state of each account",
      description: [
        """
        Shows each account's user, last and next refresh, last error and file paths, and what the service or another command is doing with
        it. The command does not send requests to providers, and works even if the configuration has errors.
        """
      ],
      details: [
        """
        Accounts that are not enabled are shown with `--all`, when given by name, and in JSON. Accounts that have files but are no longer in
        the configuration are listed too.
        """,
        """
        For each token, the command shows when the token expires, and whether homeline renews it or you must log in again. If reading costs
        money, the command shows the amount spent today and this month (UTC), and the maximum cost of a month.
        """,
        """
        With `--json`, the output is a single object with a `schema` member, which also contains the effective settings.
        """,
      ],
      examples: [
        CommandExample("homeline status --json | jq -r '.accounts[].account'", "Print the names of all accounts.")
      ])

    private static let accountOperand = Operand(.account, .optional)
    private static let json = Flag("--json", "print JSON, with the effective settings")
    private static let all = Flag("--all", "also show accounts that are not enabled (JSON always does)")

    package static var operands: [OperandDescription] { [accountOperand.description] }
    package static var options: [any DeclaredOption] { [json, all] }

    /// The account; nil means all accounts.
    package var account: AccountName?
    package var isJSON: Bool
    package var showsAll: Bool

    init(_ account: AccountName? = nil, isJSON: Bool = false, showsAll: Bool = false) {
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
