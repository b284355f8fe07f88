package import ControlProtocol
internal import Platform
internal import Settings
internal import Time

extension Command {
  /// `homeline purge`.
  package struct Purge: OwnerCommand {
    package static let name = "purge"
    package static let documentation = CommandDocumentation(
      .archive, "permanently remove posts",
      description: [
        """
        Removes posts from the archive, from all timelines and from the published files, and deletes pictures that no other post uses. It applies to all
        accounts unless you name one. Specify one of `--post`, `--author` and `--before`, or `--account` alone for all posts of an account.
        `--dry-run` shows what would be removed.
        """,
        """
        Posts removed by `--post` or `--author` do not come back with the next refresh, and quotations of them are removed too.
        After `--before`, older posts are never stored again; after `--account` alone, only new posts are stored.
        """,
        TextBlock.dates,
      ],
      details: [
        """
        The output shows the number of removed posts, and of other posts that lost a quotation. A large archive is purged in batches, with
        refreshes in between. The next state owner finishes an interrupted purge.
        """
      ],
      examples: [
        CommandExample("homeline purge --author mia --dry-run", "Count what would be removed."),
        CommandExample("homeline purge --before 52w --account bird", "Keep one year of an account's posts."),
      ])

    enum Selection: Sendable, Hashable {
      case post(String)
      /// A case-insensitive screen name without its @, as the user typed it.
      case author(String)
      case before(Timestamp)
      /// All posts of the account, which must be named.
      case everything
    }

    private static let postOption = Option("--post", .filledText("ID"), "remove this post")
    private static let authorOption = Option(
      "--author", .screenName("NAME"), "remove everything that this screen name wrote or reposted")
    private static let beforeOption = Option(
      "--before", .date, "remove older posts, and never store them again")
    private static let accountOption = Option(
      "--account", .account(orElse: "a purge removes posts from all timelines, so specify the account"),
      "only in this account's archive; without another option, remove all of its posts")
    private static let dryRun = Flag("--dry-run", "only count the posts that would be removed")

    package static var options: [any DeclaredOption] {
      [postOption, authorOption, beforeOption, accountOption, dryRun]
    }
    package static let json: JSONOutput? = JSONOutput(schema: "purge")

    var selection: Selection
    /// The account; nil means every account that has an archive.
    var account: AccountName?
    /// Whether to count the posts without removing them.
    var isDryRun: Bool

    init(_ selection: Selection, account: AccountName? = nil, isDryRun: Bool = false) {
      self.selection = selection
      self.account = account
      self.isDryRun = isDryRun
    }

    package init(_ arguments: Arguments) throws(UsageError) {
      let selections: [any DeclaredOption] = [Self.postOption, Self.authorOption, Self.beforeOption]
      let given = zip(
        selections,
        [arguments.has(Self.postOption), arguments.has(Self.authorOption), arguments.has(Self.beforeOption)]
      ).filter(\.1).map(\.0.description.name)
      if given.count > 1 {
        throw arguments.error("\(given[0]) and \(given[1]) cannot be combined; run purge separately for each")
      }
      self.init(
        try Self.selection(arguments), account: try arguments.value(Self.accountOption),
        isDryRun: arguments.has(Self.dryRun))
    }

    private static func selection(_ arguments: Arguments) throws(UsageError) -> Selection {
      if let id = try arguments.value(postOption) { return .post(id) }
      if let author = try arguments.value(authorOption) { return .author(author) }
      if let moment = try arguments.value(beforeOption) {
        // Posts older than the date are not stored again, so the archive would stay empty until that date.
        if moment > arguments.now {
          throw arguments.error("--before is in the future; no post would be stored until then")
        }
        return .before(moment)
      }
      if arguments.has(accountOption) { return .everything }
      throw arguments.error(
        "specify --post ID, --author NAME or --before DATE, or --account ACCOUNT alone to remove all of its posts")
    }

    package var request: PurgeRequest {
      let selection: PurgeRequest.Selection =
        switch selection {
        case .post(let id): .post(id)
        case .author(let name): .author(name)
        case .before(let moment): .before(moment)
        case .everything: .everything
        }
      return PurgeRequest(account: account?.text, selection, isDryRun: isDryRun)
    }

    package func makeDisplay(_ context: DisplayContext) -> any EventDisplay {
      let verb = isDryRun ? "would be removed" : "removed"
      let units = ProgressUnits(
        ("post examined", "posts examined"), bringing: ("post removed", "posts removed"), isTotalUpperBound: true)
      return EventPrinter(units) { event in
        guard let report = event as? PurgedEvent else { return }
        try? Terminal.answer("\(report.account): \(Self.counts(in: report)) \(verb)\n")
      }
    }

    /// Returns the counts as text, such as `3 posts and 1 quotation in another post`.
    static func counts(in report: PurgedEvent) -> String {
      let posts = "\(report.posts) \(report.posts == 1 ? "post" : "posts")"
      switch report.quotes {
      case 0: return posts
      case 1: return "\(posts) and 1 quotation in another post"
      default: return "\(posts) and \(report.quotes) quotations in other posts"
      }
    }
  }
}
