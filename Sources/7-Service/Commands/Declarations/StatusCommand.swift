package import Settings

extension Command {
  /// `homeline status`.
  package struct Status: CommandDeclaration {
    package static let name = "status"
    package static var program: LibexecProgram? { .daemon }
    package static let documentation = CommandDocumentation(
      .accounts, "show the state of each account",
      description: [
        """
        Prints one line for each account: whether it works, its name, its user, the last refresh, the number of unread posts, and what is
        wrong and what to do next. With `-v`, it prints everything known about each account and its timelines, with the paths of its files.
        The command sends no requests to providers and works even if the configuration has errors.
        """,
        .terms([
          TextBlock.Term("✓", "The account works."),
          TextBlock.Term(
            "!", "Something is wrong but may resolve itself, or a new login will be needed within 7 days."),
          TextBlock.Term("✗", "The account does not work until you do what the line says."),
          TextBlock.Term(
            "-", "The account is not refreshed, because it is not enabled, or no longer in the configuration."),
        ]),
      ],
      details: [
        """
        Times use the time zone in `TZ` and the format of the language in `LC_TIME`. On a terminal, lines are coloured unless `NO_COLOR` is
        set, and wrapped at its width.
        """,
        """
        Accounts that are not enabled are shown with `--all`, when given by name, in JSON and in metrics. Accounts that have files but are no longer in
        the configuration are listed too.
        """,
        """
        With `-v`, the command shows for each token when the token expires, and whether homeline renews it or you must log in again. If reading costs
        money, the command shows the amount spent today and this month (UTC), and the maximum monthly cost.
        """,
        """
        With `--unread`, each line is a timeline and its number of unread posts, such as `me/list:Friends 3`; ACCOUNT alone is its home
        timeline.
        """,
        """
        With `--format prometheus`, the output is in Prometheus's text format 0.0.4, for the textfile collector of the node exporter. With
        `--json`, the output also contains the effective settings.
        """,
      ],
      examples: [
        CommandExample("homeline status", "Show whether everything works."),
        CommandExample("homeline status -v bird", "Show everything about the account bird."),
        CommandExample("homeline status --unread", "Print how many posts each timeline has that you have not read."),
        CommandExample("homeline status --json | jq -r '.accounts[].account'", "Print the names of all accounts."),
      ])

    package enum Format: String, Sendable, Hashable, CaseIterable { case text, json, prometheus }

    private static let accountOperand = Operand(.timeline, .optional)
    private static let formatOption = Option<Format>(
      "--format", .choice, default: .text, "human-readable text, JSON, or Prometheus metrics")
    private static let all = Flag("--all", "also show accounts that are not enabled")
    private static let unread = Flag("--unread", "only print each timeline and its number of unread posts")

    package static var operands: [OperandDescription] { [accountOperand.description] }
    package static var options: [any DeclaredOption] { [formatOption, all, unread] }
    package static let json: JSONOutput? = JSONOutput(schema: "account-status")

    /// The account or timeline; nil means all accounts.
    package var account: TimelineOperand?
    package var format: Format
    package var showsAll: Bool
    /// Whether only the numbers of unread posts are printed.
    package var onlyUnread: Bool

    init(
      _ account: TimelineOperand? = nil, format: Format = .text, showsAll: Bool = false, onlyUnread: Bool = false
    ) {
      self.account = account
      self.format = format
      self.showsAll = showsAll
      self.onlyUnread = onlyUnread
    }

    package init(_ arguments: Arguments) throws(UsageError) {
      self.init(
        try arguments.value(Self.accountOperand),
        format: arguments.isJSON ? .json : try arguments.value(Self.formatOption) ?? .text,
        showsAll: arguments.has(Self.all), onlyUnread: arguments.has(Self.unread))
      if onlyUnread, format != .text {
        throw arguments.error("--unread is only for --format text; JSON and metrics contain the numbers too")
      }
    }
  }
}
