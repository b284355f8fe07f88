package import CivilTime
internal import Platform
internal import Publish
package import Timeline

/// Replaces what other programs read, `home_timeline.json`, with what the account's database holds now.
package struct TimelinePublisher: Sendable {
  private let files: AccountFiles
  private let provider: String
  private let keepPosts: Int

  /// - Parameter provider: its name in the configuration.
  /// - Parameter keepPosts: how many posts are published at most, the newest.
  package init(_ files: AccountFiles, provider: String, keepPosts: Int) {
    precondition(keepPosts >= 0, "a number of posts")
    self.files = files
    self.provider = provider
    self.keepPosts = keepPosts
  }

  /// Writes the whole file anew, with its folder if somebody deleted it. A reader sees the old or the new one.
  ///
  /// - Parameter state: instead of the one in the database, where that could not be stored.
  ///
  /// Not synced: after a power cut the database is there to publish it again.
  package func publish(from database: AccountDatabase, as state: AccountState? = nil) throws(PublishError) {
    let content: [UInt8]
    do throws(SQLiteError) {
      let state = if let state { state } else { try database.state() }
      // One that was begun anew and has had no answer yet would take the posts away that the one before it published.
      if let problem = state.problem, state.refreshedAt == nil, let published = published(), !published.posts.isEmpty {
        content = Self.bytes(published, problem, since: state.staleSince, next: state.nextRefreshAt)
      } else {
        content = try bytes(from: database, state)
      }
    } catch { throw .database(error) }
    try write(content)
  }

  /// Has the file say what is wrong, and leaves its posts as they are: for when there is no database to publish from. Where
  /// no file is published, there is none after it.
  /// - Parameters:
  ///   - now: since when it is wrong, unless something was already.
  ///   - next: when it is tried again.
  package func publish(_ problem: Problem, at now: Timestamp, next: Timestamp?) throws(PublishError) {
    guard let published = published() else { return }
    try write(Self.bytes(published, problem, since: published.head.staleSince ?? now, next: next))
  }

  /// As the token says it that is kept now.
  private var loginNeededBy: Timestamp? { (try? TokenStore(files).read())?.grant.loginExpiresAt }

  private func write(_ content: [UInt8]) throws(PublishError) {
    do throws(SystemError) {
      try Folder.create(files.cacheFolder)
      try AtomicFile.write(content, to: files.timeline, .replaced)
    } catch { throw .file(error) }
  }

  /// What is published now, if that can be read.
  private func published() -> TimelineFile? {
    guard let bytes = try? File.read(files.timeline, limit: Self.sizeLimit) else { return nil }
    return try? TimelineFile.read(bytes)
  }

  /// Far beyond the most posts that can be kept.
  private static let sizeLimit = 256 << 20

  private static func bytes(
    _ published: TimelineFile, _ problem: Problem, since: Timestamp?, next: Timestamp?
  ) -> [UInt8] {
    var head = published.head
    (head.problem, head.staleSince, head.nextRefreshAt) = (problem, since, next)
    return TimelineFile.bytes(head: head, posts: published.fragments)
  }

  private func bytes(from database: AccountDatabase, _ state: AccountState) throws(SQLiteError) -> [UInt8] {
    let posts = try database.newestPosts(keepPosts)
    // A gap is told where posts stand on both of its sides; below the last one the file ends anyway.
    let gaps = try database.spans().gaps.filter { gap in posts.last.map { $0.mark <= gap.after } ?? false }
    let head = TimelineHead(
      account: files.account, provider: provider, user: state.identity?.user, refreshedAt: state.refreshedAt,
      nextRefreshAt: state.nextRefreshAt, staleSince: state.staleSince, problem: state.problem,
      loginNeededBy: loginNeededBy, gaps: gaps.map { PublishedGap($0) })
    return TimelineFile.bytes(head: head, posts: posts.map(\.json))
  }
}
