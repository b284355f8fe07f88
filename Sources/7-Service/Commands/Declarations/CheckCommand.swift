internal import Platform
package import Settings

extension Command {
  /// `homeline check`.
  package struct Check: CommandDeclaration {
    package static let name = "check"
    package static var program: LibexecProgram? { .daemon }
    package static let documentation = CommandDocumentation(
      .service, "check the configuration or the archive",
      description: [
        """
        Reads the configuration and prints each error with its line, column and key, then exits with 78. It does not read
        secrets or run commands that supply them.
        """,
        """
        With `--archive`, the command reads the post databases instead, and exits with 65 if one is corrupt.
        """,
      ],
      details: [
        """
        Errors are printed as `FILE:LINE:COLUMN: KEY: MESSAGE`, a format that editors understand. If there are no errors, the command prints
        each account and, if reading costs money, the maximum monthly cost. It prints a warning on standard error if the file contains a
        secret and other users can read or change the file.
        """
      ],
      examples: [CommandExample("homeline check --archive", "Check the databases of all accounts.")],
      exitCodes: [
        (.badData, "a database is corrupt"), (.configuration, "the configuration has errors"),
      ])

    private static let accountOperand = Operand(.account, .optional)
    private static let archive = Flag("--archive", "check the post databases (of all accounts if ACCOUNT is omitted)")

    package static var operands: [OperandDescription] { [accountOperand.description] }
    package static var options: [any DeclaredOption] { [archive] }
    package static let json: JSONOutput? = JSONOutput(schema: "check")

    /// Whether to check the databases instead of the configuration.
    package var checksArchive: Bool
    /// The account whose database is checked with `checksArchive`; nil means all accounts.
    package var account: AccountName?

    init(checksArchive: Bool = false, _ account: AccountName? = nil) {
      self.checksArchive = checksArchive
      self.account = account
    }

    package init(_ arguments: Arguments) throws(UsageError) {
      self.init(checksArchive: arguments.has(Self.archive), try arguments.value(Self.accountOperand))
      if !checksArchive, let account {
        throw arguments.error(
          "checking the configuration does not take an account; to check the posts of \(account), add --archive")
      }
    }
  }
}
