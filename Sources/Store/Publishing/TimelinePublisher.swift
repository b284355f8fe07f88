package import CivilTime
internal import Platform
internal import Publish
package import Settings
package import Timeline

/// Replaces what other programs read of an account with what its database holds now.
package struct TimelinePublisher: Sendable {
  private let files: AccountFiles
  private let provider: String
  private let keepPosts: Int
  private let formats: [PublishedFormat]
  private let budget: Budget?
  private let media: MediaStore?

  /// - Parameters:
  ///   - provider: its name in the configuration.
  ///   - keepPosts: how many posts are published at most, the newest.
  ///   - formats: what is published besides `home_timeline.json`.
  ///   - budget: what may be spent; `nil` where nothing is charged.
  ///   - media: has the pictures of a page; without it there are none.
  package init(
    _ files: AccountFiles, provider: String, keepPosts: Int, formats: [PublishedFormat] = [], budget: Budget? = nil,
    media: MediaStore? = nil
  ) {
    precondition(keepPosts >= 0, "a number of posts")
    self.files = files
    self.provider = provider
    self.keepPosts = keepPosts
    self.formats = formats
    self.budget = budget
    self.media = media
  }

  /// Writes the files anew, with their folder if somebody deleted it. A reader sees the old or the new one.
  ///
  /// Not synced: after a power cut the database is there to publish them again.
  /// - Parameters:
  ///   - state: instead of the one in the database, where that could not be stored.
  ///   - pages: what the database has not taken yet.
  /// - Returns: the pictures that a page of these posts shows, newest first; none where no page is published.
  @discardableResult
  package func publish(
    from database: AccountDatabase, as state: AccountState? = nil, with pages: [UnstoredPage] = [], at now: Timestamp
  ) throws(PublishError) -> [String] {
    let former = database.published
    // Known again once all is written.
    database.published = nil
    let content: Content
    do throws(SQLiteError) {
      let state = if let state { state } else { try database.state() }
      // One that was begun anew and has had no answer yet would take the posts away that the one before it published.
      if let problem = state.problem, state.refreshedAt == nil, let published = published(), !published.posts.isEmpty {
        content = Content(published, problem, since: state.staleSince, next: state.nextRefreshAt)
      } else {
        content = try self.content(of: database, state, pages, since: former, at: now)
      }
    } catch { throw .database(error) }
    let written = try write(content, at: now)
    // Of posts that are in no row it cannot be told later which have stayed.
    if pages.isEmpty { database.published = remembered(content, written) }
    return written.pictures
  }

  /// Has the files say what is wrong, and leaves their posts as they are: for when there is no database to publish from. Where
  /// no file is published, there is none after it.
  /// - Parameters:
  ///   - now: since when it is wrong, unless something was already.
  ///   - next: when it is tried again.
  package func publish(_ problem: Problem, at now: Timestamp, next: Timestamp?) throws(PublishError) {
    guard let published = published() else { return }
    _ = try write(Content(published, problem, since: published.head.staleSince ?? now, next: next), at: now)
  }

  /// What is to be published, before it takes a form.
  private struct Content {
    var head: TimelineHead
    var posts: PostLines
    var overview = Publication.Overview()
    /// What is known of the files as they stand there.
    var former: FormerFiles?
    /// Of the posts, where they are those of a database.
    var window: PublishedWindow?
    var readUpTo: PostMark?

    init(_ head: TimelineHead, _ window: PublishedWindow) {
      self.head = head
      self.window = window
      posts = window.lines
    }

    /// What is published now, with another word of how it is.
    init(_ published: TimelineFile, _ problem: Problem, since: Timestamp?, next: Timestamp?) {
      head = published.head
      (head.problem, head.staleSince, head.nextRefreshAt) = (problem, since, next)
      posts = PostLines(published.fragments)
    }
  }

  private func content(
    of database: AccountDatabase, _ state: AccountState, _ pages: [UnstoredPage], since former: PublishedPosts?,
    at now: Timestamp
  ) throws(SQLiteError) -> Content {
    let window =
      pages.isEmpty
      ? try window(of: database, state, since: former)
      : try PublishedWindow(
        of: database, newest: keepPosts, below: database.postsAbove(in: pages), readUpTo: state.readUpTo)
    // A gap is told where posts stand on both of its sides; below the last one the file ends anyway.
    let gaps = try window.last.map { last throws(SQLiteError) in try database.gaps(downTo: last, with: pages) } ?? []
    let head = TimelineHead(
      account: files.account, provider: provider, user: state.identity?.user, refreshedAt: state.refreshedAt,
      nextRefreshAt: state.nextRefreshAt, staleSince: state.staleSince, problem: state.problem,
      loginNeededBy: loginNeededBy, readUpTo: window.readUpTo, unread: window.unread,
      gaps: gaps.map { PublishedGap($0) })
    var content = Content(head, window)
    content.readUpTo = state.readUpTo
    if formats.contains(.html) { content.overview = try overview(of: database, at: now) }
    if let former, let staying = window.staying {
      content.former = FormerFiles(
        files: former.files, count: former.count, staying: staying,
        areSame: former.areSame && former.owner == state.identity?.user)
    }
    return content
  }

  /// From the file that was published before, as far as nobody has touched it and its posts are the same.
  private func window(
    of database: AccountDatabase, _ state: AccountState, since former: PublishedPosts?
  ) throws(SQLiteError) -> PublishedWindow {
    if let former, former.folder == files.cacheFolder, former.keepPosts == keepPosts,
      let file = try? File.read(files.timeline, ifStill: former.timeline),
      let window = try PublishedWindow(of: database, since: former, file: file, readUpTo: state.readUpTo)
    {
      return window
    }
    let size = (try? FileFacts.of(files.timeline))?.size ?? 0
    return try PublishedWindow(
      of: database, newest: keepPosts, readUpTo: state.readUpTo, about: min(size, Self.sizeLimit) * 5 / 4)
  }

  private func remembered(_ content: Content, _ written: PublishedFolder.Written) -> PublishedPosts? {
    guard let window = content.window, let timeline = written.timeline else { return nil }
    return PublishedPosts(
      folder: files.cacheFolder, keepPosts: keepPosts, count: content.posts.count,
      bottom: content.posts.count < keepPosts ? nil : window.last?.key, readUpTo: content.readUpTo,
      unread: content.head.unread, owner: content.head.user, timeline: timeline,
      start: timeline.size - TimelineFile.size(of: content.posts), files: written.files)
  }

  private func overview(of database: AccountDatabase, at now: Timestamp) throws(SQLiteError) -> Publication.Overview {
    Publication.Overview(
      hours: try database.hoursOfWeek(at: now), kept: try database.kept(),
      spending: try budget?.words(of: database.spending(), at: now) ?? [])
  }

  private func write(_ content: Content, at now: Timestamp) throws(PublishError) -> PublishedFolder.Written {
    let folder = PublishedFolder(
      path: files.cacheFolder, formats: formats, owner: "account:\(files.account)", wayToCache: "../", media: media)
    let published = PublishedContent(
      content.head, content.posts, overview: content.overview,
      isShown: formats.contains(.html) || formats.contains(.bar), madeAt: now)
    do throws(SystemError) {
      return try folder.write(
        TimelineFile.pieces(head: content.head, posts: content.posts), published, since: content.former)
    } catch { throw .file(error) }
  }

  /// As the token says it that is kept now.
  private var loginNeededBy: Timestamp? { (try? TokenStore(files).read())?.grant.loginExpiresAt }

  /// What is published now, if that can be read.
  private func published() -> TimelineFile? {
    guard let bytes = try? OwnFile.read(files.timeline, limit: Self.sizeLimit) else { return nil }
    return try? TimelineFile.read(bytes)
  }

  /// Far beyond the most posts that can be kept.
  private static let sizeLimit = 256 << 20
}
