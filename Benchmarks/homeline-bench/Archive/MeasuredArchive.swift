internal import Folders
internal import Platform
internal import PublishedFiles
internal import Storage
internal import StorageFiles
internal import StorageSQLite
internal import StorageTestSupport
internal import TestSupport
internal import Time
internal import Timeline

/// An account in its own folder, with its database and its published files.
final class MeasuredArchive {
  /// The cost of one refresh.
  struct Refresh {
    let insert: Elapsed
    let publish: Elapsed
    var whole: Elapsed { insert + publish }
  }

  /// The number of posts in one portion of an import in the service.
  private static let portion = 500
  /// The default number of published posts of the provider that publishes the most posts.
  private static let keepPosts = 800
  /// The number of new posts in a page of 40.
  private static let halfOfPage = 20

  private let folder: TemporaryFolder
  private let files: AccountFiles
  private let posts: SyntheticPosts
  private var database: AccountDatabase
  private var top: Int

  /// Creates an empty archive that will contain the posts below a number.
  /// - Parameter top: the number of the oldest new post in the first refresh.
  init(of posts: SyntheticPosts, below top: Int) throws {
    folder = TemporaryFolder()
    let root = folder.path
    files = FileLayout(
      BaseDirectories(environment: [
        "HOME": root, "XDG_CONFIG_HOME": "\(root)/config", "XDG_CACHE_HOME": "\(root)/cache",
        "XDG_DATA_HOME": "\(root)/data", "XDG_STATE_HOME": "\(root)/state",
      ])!
    ).files(of: "measured")
    self.posts = posts
    self.top = top
    database = try AccountDatabase.open(files, at: posts.createdAt(top))
  }

  /// Stores the newest `count` posts below the top, the oldest first.
  /// - Returns: the cost of storing them, without the cost of generating them.
  func take(_ count: Int) throws -> Elapsed {
    var elapsed = Elapsed()
    for begin in stride(from: top - count, to: top, by: Self.portion) {
      let portion = (begin..<min(begin + Self.portion, top)).map {
        ImportedPost(posts.post($0), key: posts.key($0), source: posts.source($0))
      }
      elapsed = try elapsed + .of { _ = try database.importPosts(portion, at: posts.createdAt(top)) }
    }
    return elapsed
  }

  /// Closes and opens the database again, which moves the write-ahead log into the file and clears the caches.
  func reopen() throws {
    database.close()
    database = try AccountDatabase.open(files, at: posts.createdAt(top))
  }

  /// Stores and publishes a page of the newest posts, and measures the cost.
  /// - Parameter formats: the formats that are published in addition to `home_timeline.json`.
  func refresh(publishing formats: [PublishedFormat]) throws -> Refresh {
    let entries = (top - Self.halfOfPage..<top + Self.halfOfPage).map {
      Page.Entry(post: posts.post($0), key: posts.key($0), source: posts.source($0)[...])
    }
    top += Self.halfOfPage
    let now = posts.createdAt(top)
    let page = Page(entries: entries, older: PageCursor(entries[0].post.id.text))
    let insert = try Elapsed.of {
      // The service's request depends on these values.
      _ = try (database.spans(of: .home), database.sincePosition(of: .home, overlap: .seconds(10)))
      let new = try database.insert(page, as: .head, at: now) { state in
        (state[.home].refreshedAt, state.askedAt, state[.home].nextRefreshAt) = (now, now, now + .seconds(90))
      }
      precondition(new.count == Self.halfOfPage, "half of the page must be new")
    }
    let publisher = TimelineFilesWriter(
      files, tokens: TokenStore(files), provider: "twitter", keepPosts: Self.keepPosts, formats: formats)
    return Refresh(insert: insert, publish: try Elapsed.of { _ = try publisher.publishAll(from: database, at: now) })
  }

  func search(_ query: SearchQuery) throws -> [KnownPost] { try database.search(query, limit: 20) }

  /// Removes posts in portions.
  /// - Returns: the number of removed posts, the total cost, and the cost of the longest portion.
  func purge(_ purge: Purge) throws -> (purged: Purged, whole: Elapsed, longest: Elapsed) {
    var longest = Elapsed()
    var run: PurgeRun?
    var whole = try Elapsed.of { run = try database.begin(purge, at: posts.createdAt(top)) }
    guard var run else { preconditionFailure("there is no purge") }
    var hasMore = true
    while hasMore {
      let portion = try Elapsed.of { hasMore = try database.continuePurge(&run, at: posts.createdAt(top)) }
      whole = whole + portion
      if portion.wall > longest.wall { longest = portion }
    }
    return (run.purged, whole, longest)
  }

  func check() throws -> Elapsed {
    guard let reader = try AccountDatabase.openArchive(files) else { preconditionFailure("there is no archive") }
    defer { reader.close() }
    return try Elapsed.of {
      let problems = try reader.integrity().problems
      precondition(problems.isEmpty, "\(problems)")
    }
  }

  /// The size of the database file in bytes, without its write-ahead log.
  var fileSize: Int { get throws { try FileStatus.of(files.database).size } }
}
