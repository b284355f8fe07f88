internal import Platform
internal import Publish
internal import Timeline

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
  /// Not synced: after a power cut the database is there to publish it again.
  package func publish(from database: AccountDatabase) throws(PublishError) {
    let content: [UInt8]
    do throws(SQLiteError) { content = try bytes(from: database) } catch { throw .database(error) }
    do throws(SystemError) {
      try Folder.create(files.cacheFolder)
      try AtomicFile.write(content, to: files.timeline, .replaced)
    } catch { throw .file(error) }
  }

  private func bytes(from database: AccountDatabase) throws(SQLiteError) -> [UInt8] {
    let state = try database.state()
    let posts = try database.newestPosts(keepPosts)
    // A gap is told where posts stand on both of its sides; below the last one the file ends anyway.
    let gaps = try database.spans().gaps.filter { gap in posts.last.map { $0.mark <= gap.after } ?? false }
    let head = TimelineHead(
      account: files.account, provider: provider, user: state.identity?.user, refreshedAt: state.refreshedAt,
      nextRefreshAt: state.nextRefreshAt, staleSince: state.staleSince, problem: state.problem,
      gaps: gaps.map { PublishedGap($0) })
    return TimelineFile.bytes(head: head, posts: posts.map(\.json))
  }
}
