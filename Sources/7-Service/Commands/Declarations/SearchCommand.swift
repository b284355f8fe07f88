internal import Platform
package import Settings
package import Time

extension Command {
  /// `homeline search`.
  package struct Search: CommandDeclaration {
    package static let name = "search"
    package static var program: LibexecProgram? { .daemon }
    package static let documentation = CommandDocumentation(
      .reading, "find posts in the archive",
      description: [
        """
        Finds stored posts, including those no longer published, newest first. It searches all accounts unless you name one, and ignores
        letter case and the accents of Latin letters.
        """,
        .terms([
          TextBlock.Term("cat dog", "both words"),
          TextBlock.Term("\"full moon\"", "these words in this order"),
          TextBlock.Term("cat OR dog", "one of the two"),
          TextBlock.Term("cat -dog", "the first word without the second"),
          TextBlock.Term("photo*", "words that begin with photo"),
          TextBlock.Term("@mia", "only in authors' names"),
        ]),
        """
        QUERY can be one argument or several. Quote characters that the shell interprets, and put `--` before a QUERY that excludes
        words.
        """,
        TextBlock.dates,
      ],
      details: [
        """
        `--since` is inclusive, `--until` is exclusive. If the query is invalid, the command exits with 64, and the message gives the
        position.
        """,
        """
        Posts that only your bookmarks or likes contain are found if you name that timeline, as in `--account me/bookmarks`. Posts hidden by
        your filters on the server are found only with `--filtered`.
        """,
        """
        On a terminal with colours, matching words are highlighted unless `NO_COLOR` is set.
        """,
        TextBlock.threads,
        TextBlock.pager,
      ],
      examples: [
        CommandExample(
          "homeline search --since 7d -- '\"full moon\"' -eclipse", "Search the last week, excluding a word."),
        CommandExample("homeline search cat --from mia --format jsonl", "Print posts by one author as JSON lines."),
      ],
      exitCodes: [(.badData, "an archive is corrupt"), (.notAuthorised, "no archive exists yet")],
      adviceOnDashes: "; put -- before a query that excludes words: homeline search -- cat -dog")

    package typealias Format = Show.Format

    private static let queryOperand = Operand(.text("QUERY"), .oneOrMore)
    private static let accountOption = Option("--account", .timeline, "search only this account or timeline")
    private static let fromOption = Option("--from", .screenName("AUTHOR"), "only posts by this screen name")
    private static let limitOption = Option(
      "--limit", .number("N", in: 1...1_000_000), default: 20, "print at most N posts")
    private static let filteredFlag = Flag("--filtered", "also find posts hidden by your filters on the server")
    private static let formatOption = Option<Format>(
      "--format", .choice, default: .text, "human-readable text, one array, or one object per line")

    package static var operands: [OperandDescription] { [queryOperand.description] }
    package static var options: [any DeclaredOption] {
      [
        accountOption, DateRange.since, DateRange.until, fromOption, limitOption, filteredFlag, formatOption,
        TextOptions.ids, TextOptions.threads, TextOptions.noPager,
      ]
    }
    package static let json: JSONOutput? = JSONOutput(schema: "posts")

    /// The query as the user typed it.
    package var query: String
    /// The account or timeline; nil means all accounts that have an archive.
    package var account: TimelineOperand?
    /// The start of the range, inclusive.
    package var since: Timestamp?
    /// The end of the range, exclusive.
    package var until: Timestamp?
    /// A case-insensitive screen name without its @, as the user typed it.
    package var author: String?
    package var limit: Int
    /// Whether posts hidden by the user's filters on the server are found too.
    package var includesFiltered = false
    package var format: Format
    /// Whether the `text` format shows the ids of posts; the other formats always contain them.
    package var showsIDs = false
    /// Whether replies are shown below the posts they reply to, in the `text` format.
    package var showsThreads = false
    /// Whether long output on a terminal is shown in a pager.
    package var usesPager = true

    init(
      query: String, account: TimelineOperand? = nil, since: Timestamp? = nil, until: Timestamp? = nil,
      author: String? = nil, limit: Int = 20, format: Format = .text
    ) {
      self.query = query
      self.account = account
      self.since = since
      self.until = until
      self.author = author
      self.limit = limit
      self.format = format
    }

    package init(_ arguments: Arguments) throws(UsageError) {
      let range = try DateRange(arguments)
      self.init(
        query: try arguments.values(Self.queryOperand).joined(separator: " "),
        account: try arguments.value(Self.accountOption), since: range.start, until: range.end,
        author: try arguments.value(Self.fromOption))
      if let limit = try arguments.value(Self.limitOption) { self.limit = limit }
      includesFiltered = arguments.has(Self.filteredFlag)
      if let format = try arguments.value(Self.formatOption) { self.format = format }
      if arguments.isJSON { format = .json }
      showsIDs = arguments.has(TextOptions.ids)
      usesPager = !arguments.has(TextOptions.noPager)
      showsThreads = try arguments.threads(ofText: format == .text)
    }
  }
}
