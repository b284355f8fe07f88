internal import Folders
internal import Posting
internal import Settings
internal import Storage
internal import Time
internal import Timeline

/// The state of an account according to its files.
struct AccountStatus {
  let name: String
  /// The account's settings; nil for an orphan, or if the configuration is invalid.
  let settings: AccountSettings?
  /// Whether the account has files but is no longer in the configuration.
  let isOrphan: Bool
  let token: Token
  /// The stored state; nil without a database.
  let state: AccountState?
  /// The stored spending record; nil without a database.
  let spending: SpendingRecord?
  /// The number of stored posts; nil if it is unknown.
  let posts: Int?
  /// The number of stored posts hidden by the user's filters on the server; nil if it is unknown.
  let filtered: Int?
  /// The number of published posts that have not been marked as read; nil if it is unknown.
  let unread: Int?
  /// The posts in the outbox that are not published yet.
  let waitingPosts: [WaitingPost]
  /// The number of posts in the outbox that the server refused, or whose outcome is unknown; nil if the outbox could not be read.
  let failedPosts: Int?
  let files: AccountFiles
  /// The reasons the token or the database could not be read.
  let problems: [String]

  /// The stored state of the home timeline; nil without a database.
  var home: TimelineState? { state?[.home] }
  /// Whether the account can have posts; true for an orphan, whose provider is unknown.
  var hasTimeline: Bool { settings?.hasTimeline() ?? true }
  /// Whether homeline sends requests with the account's token, rather than only giving it to other programs.
  var usesToken: Bool { hasTimeline || settings?.drive != nil }

  /// How many posts the user's filters hide, as text; nil if there are none.
  var filteredText: String? { filtered.flatMap { $0 > 0 ? "\($0) hidden by your filters" : nil } }

  enum Token {
    case none
    case held(by: User, since: Timestamp, TokenLifetime)
    case unreadable
  }
}

extension AccountStatus {
  /// Reads the account's files without changing them. An unreadable file becomes a problem; the remaining files are still read.
  init(
    name: String, settings: AccountSettings?, isOrphan: Bool, layout: FileLayout, storage: any StorageProvider,
    at now: Timestamp
  ) {
    self.name = name
    self.settings = settings
    self.isOrphan = isOrphan
    files = layout.files(of: name)
    var problems: [String] = []
    let account = AccountName(name)!
    do throws(StorageError) {
      token =
        try storage.tokens(of: account).read().map {
          .held(by: $0.identity.user, since: $0.authorisedAt, TokenLifetime($0))
        }
        ?? .none
    } catch {
      token = .unreadable
      problems.append("\(error)")
    }
    do throws(StorageError) {
      (state, spending, posts, filtered, unread) = try Self.content(of: account, in: storage, settings)
    } catch {
      (state, spending, posts, filtered, unread) = (nil, nil, nil, nil, nil)
      problems.append("\(files.database): \(error)")
    }
    do throws(StorageError) {
      let intents = try storage.outbox(of: account).readable()
      waitingPosts = WaitingPost.all(of: intents, at: now)
      failedPosts = intents.count { !$0.isPending && !$0.isPosted }
    } catch {
      waitingPosts = []
      failedPosts = nil
      problems.append("\(error)")
    }
    self.problems = problems
  }

  private typealias Content = (
    state: AccountState?, spending: SpendingRecord?, posts: Int?, filtered: Int?, unread: Int?
  )

  /// Reads the account's database. Unread posts are counted as in the published files: only published posts, and all of them if none was
  /// marked as read.
  private static func content(
    of account: AccountName, in storage: any StorageProvider, _ settings: AccountSettings?
  ) throws(StorageError) -> Content {
    guard let database = try storage.openForReading(.home(of: account), isSnapshot: true) else {
      return (nil, nil, nil, nil, nil)
    }
    defer { database.close() }
    let state = try database.state()
    let posts = database.hasArchive ? try database.countOfPosts() : nil
    let filtered = database.hasArchive ? try database.countOfFilteredPosts() : nil
    var unread: Int?
    if let posts, let settings {
      let limit = state.publishedPosts(settings.keepPosts)
      unread = min(posts, limit)
      if let mark = state[.home].readUpTo {
        unread = try database.countOfPosts(of: .home, above: mark.key, upTo: limit)
      }
    }
    return (state, try database.spending(), posts, filtered, unread)
  }
}
