package import CivilTime
package import Files
package import Media
internal import Platform
package import Publish
package import Settings
package import Storage
package import Timeline

/// Publishes what an account's database holds, for other programs to read.
package struct TimelinePublisher: Sendable {
  private let files: AccountFiles
  private let provider: String
  private let keepPosts: Int
  private let feedPosts: Int
  private let formats: [PublishedFormat]
  private let budget: Budget?
  private let media: MediaStore?
  private let tokens: any TokenStorage

  /// - Parameters:
  ///   - tokens: tells by when the user has to log in again.
  ///   - provider: its name in the configuration.
  ///   - keepPosts: how many posts are published at most, the newest.
  ///   - feedPosts: how many of them a feed holds at most.
  ///   - formats: what is published besides `home_timeline.json`.
  ///   - budget: what may be spent; `nil` where nothing is charged.
  ///   - media: has the pictures of a page; without it there are none.
  package init(
    _ files: AccountFiles, tokens: any TokenStorage, provider: String, keepPosts: Int,
    feedPosts: Int = ProgramDefaults.feedPosts, formats: [PublishedFormat] = [], budget: Budget? = nil,
    media: MediaStore? = nil
  ) {
    precondition(keepPosts >= 0 && feedPosts >= 0, "numbers of posts")
    self.files = files
    self.tokens = tokens
    self.provider = provider
    self.keepPosts = keepPosts
    self.feedPosts = feedPosts
    self.formats = formats
    self.budget = budget
    self.media = media
  }

  /// What a call has written.
  package struct Outcome: Sendable {
    /// Whether a file was replaced, or the files were looked at for the first time: then views have to be looked at too.
    package var concernsViews = false
    /// The pictures that the page shows, newest first; `nil` where no page was looked at.
    package var pictures: [String]?
    /// Whether there are files that are behind, for a later call that gathers nothing.
    package var isBehind = false
  }

  /// Brings the files up to date, and makes their folder if somebody deleted it. A reader sees the old or the new one.
  ///
  /// `home_timeline.json` is replaced when its content changes, and otherwise when it would not promise freshness up to the next refresh any
  /// more. The other files follow; one that somebody has removed is written in any case. Not synced: after a power cut the database is there to
  /// publish them again.
  /// - Parameters:
  ///   - state: instead of the one in the database, where that was not stored.
  ///   - pages: those that the database has not taken yet.
  ///   - gathers: whether formats whose files may be behind are left for a later call. One without a file is not.
  ///   - mayBeTorn: whether the process before may have left files torn or behind.
  @discardableResult
  package func publish(
    from database: any AccountStorage, as state: AccountState? = nil, with pages: [UnstoredPage] = [],
    gathers: Bool = false, mayBeTorn: Bool = false, at now: Timestamp
  ) throws(PublishError) -> Outcome {
    let memory = PublicationMemory.of(database)
    let state = try reading { () throws(StorageError) -> AccountState in
      if let state { state } else { try database.state() }
    }
    // A database that was begun anew and has had no answer yet would take the posts away that were published from the one before it.
    if let problem = state.problem, state.refreshedAt == nil, let published = published(), !published.posts.isEmpty {
      memory.allPostsChanged()
      return try write(content(published, problem, since: state.staleSince, at: now), Set(formats), memory)
    }
    let current = try reading { () throws(StorageError) -> PublishedPosts? in
      pages.isEmpty ? try self.current(memory, database, state) : nil
    }
    var outcome = Outcome()
    // The first publication of a process waits for nothing: pictures are fetched only once a page needs them.
    var due = due(memory, hasChanged: current == nil, gathers: gathers && memory.posts != nil)
    guard current == nil || !due.isEmpty else {
      if memory.formats != formats {
        do throws(SystemError) { try folder.removeOthers() } catch { throw .file(error) }
        memory.formats = formats
      }
      outcome.isBehind = !memory.waiting.isEmpty
      return outcome
    }
    var (content, window) = try reading { () throws(StorageError) -> (PublishedContent, PostWindow) in
      try self.content(of: database, state, pages, memory, withOverview: due.contains { $0.form.isPage }, at: now)
    }
    var standing = current?.file
    if let current {
      content.head = current.head
    } else if memory.posts == nil, let found = folder.standing(content, until: state.freshness?.refreshDue) {
      content.head = found.head
      standing = found.file
      // A page contains the time at which it was written, so that it is never the same; it was written with the file that is there.
      // With pictures it is written all the same: an earlier process may have ended before it had fetched all of them.
      if !mayBeTorn, media?.isOn != true { keepPage(memory, &due) }
    }
    let isFirst = memory.posts == nil
    outcome = try write(content, due, memory, withTimeline: standing == nil) { written in
      // Of posts that are in no row it cannot be told later which are the same.
      guard pages.isEmpty, let file = written ?? standing else { return nil }
      return PublishedPosts(
        keepPosts: keepPosts, count: content.lines.count, last: window.last, readUpTo: state.readUpTo,
        head: content.head, file: file, start: file.size - TimelineFile.size(of: content.lines))
    }
    outcome.concernsViews = outcome.concernsViews || isFirst
    return outcome
  }

  /// Whether there are files that are behind, for a call that gathers nothing.
  package static func isBehind(_ database: any PostStorage) -> Bool {
    !PublicationMemory.of(database).waiting.isEmpty
  }

  /// Notes that there are pictures that the page does not show yet.
  package func picturesCame(for database: any PostStorage) {
    PublicationMemory.of(database).waiting.formUnion(formats.filter(\.form.isPage))
  }

  /// Whether `home_timeline.json` stays as it is with this state: it holds the posts of the database, and promises freshness up to the next
  /// refresh.
  package func stays(with state: AccountState, of database: any AccountStorage) throws(StorageError) -> Bool {
    try current(PublicationMemory.of(database), database, state) != nil
  }

  /// Says in the files what is wrong, and leaves their posts as they are: for when there is no database to publish from. Where nothing is
  /// published, nothing is afterwards.
  /// - Parameter now: since when it is wrong, unless something was already.
  package func publish(_ problem: Problem, at now: Timestamp) throws(PublishError) {
    guard let published = published() else { return }
    let content = content(published, problem, since: published.head.staleSince ?? now, at: now)
    _ = try write(content, Set(formats), PublicationMemory())
  }

  // MARK: What is to be written

  /// What is known of `home_timeline.json`, if it may stay with this state.
  private func current(
    _ memory: PublicationMemory, _ database: any AccountStorage, _ state: AccountState
  ) throws(StorageError) -> PublishedPosts? {
    guard let posts = memory.posts, posts.areSame, posts.keepPosts == keepPosts, posts.readUpTo == state.readUpTo,
      (try? FileStatus.of(files.timeline)) == posts.file
    else { return nil }
    var window = PostWindow()
    (window.last, window.unread, window.newestRead) = (posts.last, posts.head.unread, posts.head.readUpTo)
    let head = try head(of: database, state, [], window)
    return head.isCovered(by: posts.head, until: state.freshness?.refreshDue) ? posts : nil
  }

  /// The formats to be written now. Notes which others are behind.
  private func due(_ memory: PublicationMemory, hasChanged: Bool, gathers: Bool) -> Set<PublishedFormat> {
    var due: Set<PublishedFormat> = []
    memory.waiting.formIntersection(formats)
    for format in formats {
      // What is no file is in the way, which is not to wait.
      let facts = (try? FileStatus.of(folder.file(format))).flatMap { $0.isRegular ? $0 : nil }
      guard facts == nil || hasChanged || memory.waiting.contains(format) || memory.files[format] != facts else {
        continue
      }
      if gathers, format.form.isGathered, facts != nil { memory.waiting.insert(format) } else { due.insert(format) }
    }
    return due
  }

  /// Takes a page that is there for one that is up to date.
  private func keepPage(_ memory: PublicationMemory, _ due: inout Set<PublishedFormat>) {
    for format in formats where format.form.isPage {
      guard let facts = try? FileStatus.of(folder.file(format)) else { continue }
      memory.files[format] = facts
      memory.waiting.remove(format)
      due.remove(format)
    }
  }

  /// Writes what is due.
  /// - Parameter remembered: what is known of `home_timeline.json` afterwards; it gets the new file, if one was written.
  private func write(
    _ content: PublishedContent, _ due: Set<PublishedFormat>, _ memory: PublicationMemory, withTimeline: Bool = true,
    remembered: (FileStatus?) -> PublishedPosts? = { _ in nil }
  ) throws(PublishError) -> Outcome {
    // Known again once all is written.
    memory.posts = nil
    let written: PublishedFolder.Written
    do throws(SystemError) {
      written = try folder.write(content, due, withTimeline: withTimeline)
      try folder.removeOthers()
    } catch { throw .file(error) }
    memory.files.merge(written.files) { $1 }
    memory.formats = formats
    memory.waiting.subtract(due)
    memory.posts = remembered(written.timeline)
    return Outcome(
      concernsViews: withTimeline || !due.isEmpty, pictures: written.pictures, isBehind: !memory.waiting.isEmpty)
  }

  private var folder: PublishedFolder {
    PublishedFolder(
      path: files.cacheFolder, formats: formats, feedPosts: feedPosts, owner: "account:\(files.account)",
      wayToCache: "../", media: media)
  }

  // MARK: Content

  private func content(
    of database: any AccountStorage, _ state: AccountState, _ pages: [UnstoredPage], _ memory: PublicationMemory,
    withOverview: Bool, at now: Timestamp
  ) throws(StorageError) -> (PublishedContent, PostWindow) {
    let window = try window(of: database, state, pages, memory.posts)
    let head = try head(of: database, state, pages, window)
    let overview = withOverview ? try overview(of: database, at: now) : Publication.Overview()
    return (PublishedContent(head, window.lines, overview: overview, madeAt: now), window)
  }

  /// What is published now, with another problem.
  private func content(
    _ published: TimelineFile, _ problem: Problem, since: Timestamp?, at now: Timestamp
  ) -> PublishedContent {
    var head = published.head
    (head.problem, head.staleSince, head.freshUntil) = (problem, since, nil)
    return PublishedContent(head, PostLines(published.fragments), madeAt: now)
  }

  private func head(
    of database: any AccountStorage, _ state: AccountState, _ pages: [UnstoredPage], _ window: PostWindow
  ) throws(StorageError) -> TimelineHead {
    // A gap is told where posts are on both of its sides; below the last one the file ends anyway.
    let gaps = try window.last.map { last throws(StorageError) in try database.gaps(downTo: last, with: pages) } ?? []
    return TimelineHead(
      account: files.account, provider: provider, user: state.identity?.user, refreshedAt: state.refreshedAt,
      freshUntil: state.freshness?.freshUntil, staleSince: state.staleSince, problem: state.problem,
      loginNeededBy: loginNeededBy, readUpTo: window.newestRead, unread: window.unread,
      gaps: gaps.map { PublishedGap($0) })
  }

  /// Posts are taken from the file that was published before, as far as nobody has touched it and they are the same.
  private func window(
    of database: any AccountStorage, _ state: AccountState, _ pages: [UnstoredPage], _ former: PublishedPosts?
  ) throws(StorageError) -> PostWindow {
    if pages.isEmpty, let former, former.keepPosts == keepPosts,
      let file = try? File.read(files.timeline, ifStill: former.file),
      let window = try former.window(of: database, file: file, readUpTo: state.readUpTo)
    {
      return window.showingMark(state.readUpTo)
    }
    var window = PostWindow()
    // Each doubling of an array that grows touches its memory anew.
    let size = (try? FileStatus.of(files.timeline))?.size ?? 0
    window.lines.reserveCapacity(min(size, PublishedFolder.sizeLimit) * 5 / 4)
    for post in try database.postsAbove(in: pages).prefix(keepPosts) {
      window.lines.append { $0 += post.json }
      window.last = post.mark
    }
    window.unread = window.lines.count
    try database.appendPosts(atMost: keepPosts - window.lines.count, from: nil, readUpTo: state.readUpTo, to: &window)
    return window.showingMark(state.readUpTo)
  }

  private func overview(of database: any AccountStorage, at now: Timestamp) throws(StorageError) -> Publication.Overview
  {
    Publication.Overview(
      hours: try database.hoursOfWeek(at: now), kept: try database.kept(),
      spending: try budget?.words(of: database.spending(), at: now) ?? [])
  }

  /// By when the user has to log in again, as the token says that is kept now.
  private var loginNeededBy: Timestamp? { (try? tokens.read())?.grant.loginExpiresAt }

  /// What is published now, if that can be read.
  private func published() -> TimelineFile? {
    guard let bytes = try? TrustedFile.read(files.timeline, limit: PublishedFolder.sizeLimit) else { return nil }
    return try? TimelineFile.read(bytes)
  }

  private func reading<Value>(_ body: () throws(StorageError) -> Value) throws(PublishError) -> Value {
    do throws(StorageError) { return try body() } catch { throw .database(error) }
  }
}

extension AccountState {
  /// What a file that is published now may promise; `nil` while refreshes fail, or none is planned.
  package var freshness: Freshness? {
    guard staleSince == nil, problem == nil, let nextRefreshAt else { return nil }
    return Freshness(refreshedAt: refreshedAt, nextRefreshAt: nextRefreshAt)
  }
}

extension PostWindow {
  /// A post that is gone has left its place: then the mark is shown at the next one below, or where it was.
  fileprivate func showingMark(_ read: PostPosition?) -> PostWindow {
    var window = self
    window.newestRead = newestRead ?? read?.id
    return window
  }
}
