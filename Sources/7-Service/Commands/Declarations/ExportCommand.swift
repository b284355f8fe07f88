internal import Platform
package import Settings
package import Time

extension Command {
  /// `homeline export`.
  package struct Export: CommandDeclaration {
    package static let name = "export"
    package static var program: LibexecProgram? { .daemon }
    package static let documentation = CommandDocumentation(
      .archive, "print all stored posts",
      description: [
        """
        Prints all stored posts of an account, newest first. With `jsonl`, each line is a post as in the published file,
        plus the provider's own JSON (`source`), earlier versions of the text (`edits`) and, for a deleted post, `deleted_at`. `csv` has
        fixed columns. `homeline import` reads `jsonl`.
        """,
        TextBlock.dates,
      ],
      examples: [
        CommandExample("homeline export bird > bird.jsonl", "Back up an account's posts."),
        CommandExample("homeline export --since 2026-01-01 --format csv", "Print this year's posts as a table."),
      ],
      exitCodes: [(.badData, "the archive is corrupt"), (.notAuthorised, "the archive does not exist yet")])

    package enum Format: String, Sendable, Hashable, CaseIterable { case jsonl, json, csv }

    private static let accountOperand = Operand(.account, .optional)
    private static let formatOption = Option<Format>(
      "--format", .choice, default: .jsonl, "one object per line, one array, or a table")

    package static var operands: [OperandDescription] { [accountOperand.description] }
    package static var options: [any DeclaredOption] { [DateRange.since, DateRange.until, formatOption] }
    package static let json: JSONOutput? = JSONOutput(schema: "archive")

    /// The account; nil means the only account.
    package var account: AccountName?
    package var since: Timestamp?
    package var until: Timestamp?
    package var format: Format

    init(
      account: AccountName? = nil, since: Timestamp? = nil, until: Timestamp? = nil, format: Format = .jsonl
    ) {
      self.account = account
      self.since = since
      self.until = until
      self.format = format
    }

    package init(_ arguments: Arguments) throws(UsageError) {
      let range = try DateRange(arguments)
      self.init(account: try arguments.value(Self.accountOperand), since: range.start, until: range.end)
      if let format = try arguments.value(Self.formatOption) { self.format = format }
      if arguments.isJSON { format = .json }
    }
  }
}
