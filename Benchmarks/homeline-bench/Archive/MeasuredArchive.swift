internal import CivilTime
internal import Files
internal import Platform
internal import Publishing
internal import Storage
internal import StorageSQLite
internal import StorageTestSupport
internal import TestSupport
internal import Timeline

/// An account in a folder of its own, with its database and what it publishes.
final class MeasuredArchive {
  /// What one refresh took.
  struct Refresh {
    let insert: Elapsed
    let publish: Elapsed
    var whole: Elapsed { insert + publish }
  }

  /// As many as a turn of the service takes in.
  private static let portion = 500
  /// The default of the provider that publishes the most.
  private static let keepPosts = 800
  /// Of a page of 40 so many are new.
  private static let halfOfPage = 20

  private let folder: TemporaryFolder
  private let files: AccountFiles
  private let posts: SyntheticPosts
  private var database: AccountDatabase
  private var top: Int

  /// An empty one, which gets the posts below a number.
  /// - Parameter top: the number of the post that the first refresh brings as its oldest new one.
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

  /// Takes in the newest posts below the top, so many, the oldest first.
  /// - Returns: what taking them in took, without what making them up took.
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

  /// Closes the file and opens it again, which brings the log into it and forgets what was in memory.
  func reopen() throws {
    database.close()
    database = try AccountDatabase.open(files, at: posts.createdAt(top))
  }

  /// What a page of the newest posts costs from the answer to the published files.
  /// - Parameter formats: what is published besides `home_timeline.json`.
  func refresh(publishing formats: [PublishedFormat]) throws -> Refresh {
    let entries = (top - Self.halfOfPage..<top + Self.halfOfPage).map {
      Page.Entry(post: posts.post($0), key: posts.key($0), source: posts.source($0)[...])
    }
    top += Self.halfOfPage
    let now = posts.createdAt(top)
    let page = Page(entries: entries, older: PageCursor(entries[0].post.id.text))
    let insert = try Elapsed.of {
      // What is asked for depends on these.
      _ = try (database.spans(), database.sincePosition(overlap: .seconds(10)))
      let new = try database.insert(page, as: .head, at: now) { state in
        (state.refreshedAt, state.askedAt, state.nextRefreshAt) = (now, now, now + .seconds(90))
      }
      precondition(new.count == Self.halfOfPage, "half of the page is new")
    }
    let publisher = TimelinePublisher(
      files, tokens: TokenStore(files), provider: "twitter", keepPosts: Self.keepPosts, formats: formats)
    return Refresh(insert: insert, publish: try Elapsed.of { _ = try publisher.publish(from: database, at: now) })
  }

  func search(_ query: SearchQuery) throws -> [KnownPost] { try database.search(query, limit: 20) }

  /// Removes posts, a portion at a time.
  /// - Returns: what was removed, what all of it took, and the longest portion.
  func purge(_ purge: Purge) throws -> (purged: Purged, whole: Elapsed, longest: Elapsed) {
    var longest = Elapsed()
    var run: PurgeRun?
    var whole = try Elapsed.of { run = try database.begin(purge, at: posts.createdAt(top)) }
    guard var run else { preconditionFailure("a purge was begun") }
    var hasMore = true
    while hasMore {
      let portion = try Elapsed.of { hasMore = try database.continuePurge(&run, at: posts.createdAt(top)) }
      whole = whole + portion
      if portion.wall > longest.wall { longest = portion }
    }
    return (run.purged, whole, longest)
  }

  func check() throws -> Elapsed {
    guard let reader = try AccountDatabase.openArchive(files) else { preconditionFailure("the archive was begun") }
    defer { reader.close() }
    return try Elapsed.of {
      let problems = try reader.integrity().problems
      precondition(problems.isEmpty, "\(problems)")
    }
  }

  /// In bytes, the log left aside.
  var fileSize: Int { get throws { try FileStatus.of(files.database).size } }
}
