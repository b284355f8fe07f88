internal import Platform
package import Settings
package import Time
internal import Timeline

extension Command {
  /// `homeline export`.
  package struct Export: CommandDeclaration {
    package static let name = "export"
    package static var program: LibexecProgram? { .daemon }
    package static let documentation = CommandDocumentation(
      .archive, "print all stored posts",
      description: [
        """
        Prints all stored posts of an account or of one of its timelines, newest first. Posts that only your bookmarks or likes contain are
        left out without `--private`. With `jsonl`, each line is a post as in the published file,
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

    private static let accountOperand = Operand(.timeline, .optional)
    private static let formatOption = Option<Format>(
      "--format", .choice, default: .jsonl, "one object per line, one array, or a table")

    private static let privateFlag = Flag("--private", "also print posts that only private timelines contain")

    package static var operands: [OperandDescription] { [accountOperand.description] }
    package static var options: [any DeclaredOption] { [DateRange.since, DateRange.until, formatOption, privateFlag] }
    package static let json: JSONOutput? = JSONOutput(schema: "archive")

    /// The account or timeline; nil means the only account.
    package var account: TimelineOperand?
    package var since: Timestamp?
    package var until: Timestamp?
    package var format: Format
    /// Whether posts that only private timelines contain are included.
    package var includesPrivate = false

    init(
      account: TimelineOperand? = nil, since: Timestamp? = nil, until: Timestamp? = nil, format: Format = .jsonl
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
      includesPrivate = arguments.has(Self.privateFlag)
      if let account, account.timeline?.isPrivate == true, !includesPrivate {
        throw arguments.error("\(account) is private; to print it, add --private")
      }
    }
  }
}
