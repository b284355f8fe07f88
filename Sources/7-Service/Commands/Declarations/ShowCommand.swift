internal import Platform
package import Settings

extension Command {
  /// `homeline show`.
  package struct Show: CommandDeclaration {
    package static let name = "show"
    package static var program: LibexecProgram? { .daemon }
    package static let documentation = CommandDocumentation(
      .reading, "print the newest posts",
      description: [
        """
        Prints the newest posts from the published files. The command does not need the network, the service or a configuration. ACCOUNT
        alone is its home timeline. Without it, the home timelines of all enabled accounts are merged by time. `--account all` also includes
        accounts that are not enabled, and `--view` shows a view. With `--follow`, the command keeps running and prints each new post when it
        is published.
        """
      ],
      details: [
        """
        Stale posts are shown too, with a warning on standard error. In `json` and `jsonl`, posts are as in the file; posts from
        a view or from several accounts also have an `account` member.
        """,
        """
        With `--follow`, posts are printed in chronological order, oldest first. The command waits for files that do not
        exist yet, and exits on a signal or when its output is closed.
        """,
        """
        On a terminal, lines are wrapped to its width, in 20 to 100 columns, and links are hyperlinks if the terminal is known to
        support them. In a file or a pipe, lines are not wrapped.
        """,
        TextBlock.threads,
        TextBlock.pager,
      ],
      examples: [
        CommandExample(
          "homeline show --limit 10 --format jsonl | jq -r .text", "Print the text of the ten newest posts."),
        CommandExample("homeline show --account all --follow", "Print the posts of all accounts as they arrive."),
        CommandExample("homeline show me/list:Friends", "Print the posts of a list."),
        CommandExample("homeline show --threads --limit 50", "Print replies below the posts they reply to."),
      ],
      exitCodes: [
        (.badData, "a published file cannot be read"), (.notAuthorised, "nothing has been published yet"),
      ])

    /// The output format.
    package enum Format: String, Sendable, Hashable, CaseIterable {
      /// Text for users.
      case text
      /// One JSON array of posts, as in the published file.
      case json
      /// One post per line, as JSON.
      case jsonl
    }

    private static let accountOperand = Operand(.timeline, .optional)
    private static let limitOption = Option(
      "--limit", .number("N", in: 1...1_000_000), default: 20, "print at most N posts")
    private static let formatOption = Option<Format>(
      "--format", .choice, default: .text, "human-readable text, one array, or one object per line")
    private static let accountOption = Option(
      "--account", .text("ACCOUNT[/TIMELINE]", .timelineOrAll),
      "same as the operand; all merges all published accounts, even those that are not enabled")
    private static let viewOption = Option("--view", .view, "show this view instead of an account")
    private static let unread = Flag("--unread", "show only posts that have not been marked as read")
    private static let follow = Flag("--follow", "keep running and print new posts, until Ctrl-C")

    package static var operands: [OperandDescription] { [accountOperand.description] }
    package static var options: [any DeclaredOption] {
      [
        limitOption, formatOption, accountOption, viewOption, unread, TextOptions.ids, TextOptions.threads, follow,
        TextOptions.noPager,
      ]
    }
    package static let json: JSONOutput? = JSONOutput(schema: "posts")

    /// The account or timeline; nil means all enabled accounts.
    package var account: TimelineOperand?
    /// The maximum number of posts.
    package var limit: Int
    package var format: Format
    /// Whether to merge all published accounts by time.
    package var mergesAll: Bool
    /// The view to show instead of an account.
    package var view: AccountName?
    /// Whether to show only posts that are not marked as read.
    package var onlyUnread: Bool
    /// Whether the `text` format shows the ids of posts; the other formats always contain them.
    package var showsIDs: Bool
    /// Whether replies are shown below the posts they reply to, in the `text` format.
    package var showsThreads = false
    /// Whether to keep running and print new posts.
    package var follows: Bool
    /// Whether long output on a terminal is shown in a pager.
    package var usesPager = true

    init(
      account: TimelineOperand? = nil, limit: Int = 20, format: Format = .text, mergesAll: Bool = false,
      view: AccountName? = nil, onlyUnread: Bool = false, showsIDs: Bool = false, follows: Bool = false
    ) {
      self.account = account
      self.limit = limit
      self.format = format
      self.mergesAll = mergesAll
      self.view = view
      self.onlyUnread = onlyUnread
      self.showsIDs = showsIDs
      self.follows = follows
    }

    package init(_ arguments: Arguments) throws(UsageError) {
      self.init(
        account: try arguments.value(Self.accountOperand), view: try arguments.value(Self.viewOption),
        onlyUnread: arguments.has(Self.unread), showsIDs: arguments.has(TextOptions.ids),
        follows: arguments.has(Self.follow))
      if let text = try arguments.value(Self.accountOption) {
        if let account {
          throw arguments.error("specify the account only once: \(account), or --account \(DisplayText.plain(text))")
        }
        mergesAll = text == "all"
        if !mergesAll { account = try arguments.timeline(text) }
      }
      if view != nil, account != nil || mergesAll { throw arguments.eitherViewOrAccount }
      if let limit = try arguments.value(Self.limitOption) { self.limit = limit }
      if let format = try arguments.value(Self.formatOption) { self.format = format }
      if arguments.isJSON {
        format = follows ? .jsonl : .json
      } else if follows, format == .json {
        throw arguments.error("--follow cannot print one array; use --format jsonl")
      }
      usesPager = !arguments.has(TextOptions.noPager)
      showsThreads = try arguments.threads(ofText: format == .text)
      if follows, showsThreads {
        throw arguments.error("--follow prints posts as they arrive, so it cannot be combined with --threads")
      }
    }
  }
}
