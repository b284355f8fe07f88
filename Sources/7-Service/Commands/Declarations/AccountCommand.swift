internal import Platform
package import Settings

extension Command {
  /// `homeline account`.
  package struct Account: CommandDeclaration {
    package enum Action: String, Sendable, Hashable, CaseIterable {
      case list, disable, enable, remove
    }

    package static let name = "account"
    package static var program: LibexecProgram? { .daemon }
    package static let documentation = CommandDocumentation(
      .accounts, "list, disable, enable or remove accounts",
      description: [
        """
        `list`, which is the default, prints each account with its provider, its server, whether it is enabled, and the file that contains it.
        """,
        """
        `disable` and `enable` set `enabled` in that file and leave the rest unchanged. The service does not refresh an account
        that is not enabled.
        """,
        """
        `remove` revokes and deletes the account's token as `homeline logout` does, then removes the account from the configuration. Its
        posts stay on disk.
        """,
      ],
      details: [
        """
        A running service reads the configuration again. A removed account and its timelines are also removed from the views that list them with others. If a
        view lists only this account, nothing is changed. An account that was never used leaves no files behind.
        """
      ],
      examples: [
        CommandExample("homeline account", "Show all accounts."),
        CommandExample("homeline account disable bird", "Stop refreshing the account bird."),
      ],
      exitCodes: [(.temporary, "another process is using the account, so its token could not be revoked")])

    private static let actionOperand = Operand<Action>(.choice, .optional)
    private static let accountOperand = Operand(.account, .optional, at: 1)

    package static var operands: [OperandDescription] { [actionOperand.description, accountOperand.description] }
    package static let json: JSONOutput? = JSONOutput(schema: "accounts")

    package var action: Action
    /// The account; nil only for `list`.
    package var account: AccountName?

    package init(_ arguments: Arguments) throws(UsageError) {
      action = try arguments.value(Self.actionOperand) ?? .list
      account = try arguments.value(Self.accountOperand)
      if action != .list, account == nil { throw arguments.error("specify the account to \(action.rawValue)") }
      if action != .list, arguments.isJSON { throw arguments.error("--json can only be used with list") }
      if action == .list, let account { throw arguments.error("unexpected argument \"\(account)\"") }
    }
  }

  /// `homeline init`.
  package struct Init: CommandDeclaration {
    package static let name = "init"
    package static var program: LibexecProgram? { .daemon }
    package static let documentation = CommandDocumentation(
      .accounts, "write a short configuration",
      description: [
        """
        Writes a short configuration without accounts to `config.json`, or to the file in `--config`, with mode 0600: each account publishes
        a feed, a page and a file for a status bar, and the `quiet` view shows the posts of all accounts without reposts and replies. An
        existing file is not changed. To add accounts, use `homeline login`.
        """
      ],
      examples: [CommandExample("homeline init", "Write a short configuration.")],
      exitCodes: [(.cannotCreate, "the file exists, or cannot be created")])

    package static let json: JSONOutput? = JSONOutput(schema: "init")

    package init(_ arguments: Arguments) throws(UsageError) {}
  }
}
