package import Folders
package import Posting
internal import PublishedFiles
package import Settings
package import Storage
package import Time
package import Timeline

/// The state of an account according to its files.
package struct AccountStatus: Sendable {
  package let name: String
  /// The account's settings; `nil` for an orphan, or if the configuration is invalid.
  package let settings: AccountSettings?
  /// Whether the account has files but is no longer in the configuration.
  package let isOrphan: Bool
  package let token: Token
  /// The stored state; `nil` without a database.
  package let state: AccountState?
  /// The stored spending record; `nil` without a database.
  package let spending: SpendingRecord?
  /// The number of stored posts; `nil` if it is unknown.
  package let posts: Int?
  /// The number of stored posts hidden by the user's filters on the server; `nil` if it is unknown.
  package let filtered: Int?
  /// The number of published posts of the home timeline that have not been marked as read; `nil` if it is unknown.
  package let unread: Int?
  /// The timelines that the account fetches, its home timeline first; empty for an account without posts.
  package let timelines: [TimelineStatus]
  /// The posts in the outbox that are not published yet.
  package let waitingPosts: [WaitingPost]
  /// The number of posts in the outbox that the server refused, or whose outcome is unknown; `nil` if the outbox could not be read.
  package let failedPosts: Int?
  /// Whether the token lacks what the setting `sync_marks` needs; `nil` if not.
  let readMarkPermission: ReadMarkPermission?
  package let files: AccountFiles
  /// The reasons the token or the database could not be read.
  package let problems: [String]

  /// The stored state of the home timeline; `nil` without a database.
  package var home: TimelineState? { state?[.home] }
  /// Whether the account can have posts; true for an orphan, whose provider is unknown.
  package var hasTimeline: Bool { settings?.hasTimeline() ?? true }
  /// Whether homeline sends requests with the account's token, rather than only giving it to other programs.
  package var usesToken: Bool { hasTimeline || settings?.drive != nil }

  /// How many posts the user's filters hide, as text; `nil` if there are none.
  package var filteredText: String? { filtered.flatMap { $0 > 0 ? "\($0) hidden by your filters" : nil } }

  package enum Token: Sendable {
    case none
    case held(by: User, since: Timestamp, TokenLifetime)
    case unreadable
  }
}

extension AccountStatus {
  /// Reads the account's files without changing them. An unreadable file becomes a problem; the remaining files are still read.
  package init(
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
      let stored = try storage.tokens(of: account).read()
      token = stored.map { .held(by: $0.identity.user, since: $0.authorisedAt, TokenLifetime($0)) } ?? .none
      readMarkPermission = settings.flatMap { ReadMarkPermission(missingFor: $0, stored) }
    } catch {
      token = .unreadable
      readMarkPermission = nil
      problems.append("\(error)")
    }
    let counts: [TimelineName: Int]
    do throws(StorageError) {
      (state, spending, posts, filtered, counts) = try Self.content(of: account, in: storage, settings)
    } catch {
      (state, spending, posts, filtered, counts) = (nil, nil, nil, nil, [:])
      problems.append("\(error)")
    }
    unread = counts[.home]
    timelines =
      settings?.hasTimeline() == false
      ? []
      : (settings?.timelines ?? [.home]).map { [files, state] timeline in
        TimelineStatus(
          name: timeline, state: state?[timeline], unread: counts[timeline],
          path: (try? files.published(of: timeline))?.timeline)
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
    state: AccountState?, spending: SpendingRecord?, posts: Int?, filtered: Int?, unread: [TimelineName: Int]
  )

  /// Reads the account's database. The unread posts of each timeline are counted as in its published files: only published posts, and all
  /// of them if none was marked as read.
  private static func content(
    of account: AccountName, in storage: any StorageProvider, _ settings: AccountSettings?
  ) throws(StorageError) -> Content {
    guard let database = try storage.openForReading(.home(of: account), isSnapshot: true) else {
      return (nil, nil, nil, nil, [:])
    }
    defer { database.close() }
    let state = try database.state()
    let posts = database.hasArchive ? try database.countOfPosts() : nil
    let filtered = database.hasArchive ? try database.countOfFilteredPosts() : nil
    var unread: [TimelineName: Int] = [:]
    if let posts, let settings {
      for timeline in settings.timelines {
        let limit = state.publishedPosts(settings[timeline].keepPosts)
        if let mark = state[timeline].readUpTo {
          unread[timeline] = try database.countOfPosts(of: timeline, above: mark.key, upTo: limit)
        } else if timeline == .home {
          unread[timeline] = min(posts, limit)
        } else {
          unread[timeline] = try database.countOfPosts(of: timeline, above: PostKey(""), upTo: limit)
        }
      }
    }
    return (state, try database.spending(), posts, filtered, unread)
  }
}

extension AccountStatus {
  /// Returns a timeline's name as users write it.
  package func key(of timeline: TimelineStatus) -> String { timeline.name == .home ? name : "\(name)/\(timeline.name)" }
}
