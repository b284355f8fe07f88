package import Folders
package import Formats
internal import Platform
package import Settings
package import Storage
package import Time
package import Timeline

/// Writes a timeline's published files, which other programs read.
package struct TimelineFilesWriter: Sendable {
  private let account: AccountFiles
  private let timeline: TimelineName
  private let folder: PublishedFolder
  private let provider: String
  private let keepPosts: Int?
  private let budget: Budget?
  private let tokens: any TokenStorage

  /// - Parameters:
  ///   - timeline: which of the account's timelines is published.
  ///   - files: the paths of its files; `nil` for those of the home timeline.
  ///   - tokens: the stored token, which determines when the user has to log in again.
  ///   - provider: the provider's name in the configuration.
  ///   - keepPosts: the maximum number of published posts, which are the newest ones; `nil` for the account's default.
  ///   - feedPosts: the maximum number of posts in a feed.
  ///   - formats: the formats published in addition to the JSON file.
  ///   - budget: the spending limits; `nil` if requests cost nothing.
  ///   - media: stores the pictures for pages; `nil` for pages without pictures.
  package init(
    _ account: AccountFiles, of timeline: TimelineName = .home, as files: TimelineFiles? = nil,
    tokens: any TokenStorage, provider: String, keepPosts: Int? = nil, feedPosts: Int = ProgramDefaults.feedPosts,
    formats: [PublishedFormat] = [], budget: Budget? = nil, media: MediaStore? = nil
  ) {
    precondition(keepPosts ?? 0 >= 0 && feedPosts >= 0, "the numbers of posts must not be negative")
    self.account = account
    self.timeline = timeline
    folder = PublishedFolder(
      files: files ?? account.home, formats: formats, feedPosts: feedPosts,
      owner: MediaStore.owner(account.account, timeline), pathToCache: "../", media: media)
    self.tokens = tokens
    self.provider = provider
    self.keepPosts = keepPosts
    self.budget = budget
  }

  /// The result of publishing.
  package struct Outcome: Sendable {
    /// Whether views may need to be published: a file was replaced, or the files were checked for the first time.
    package var concernsViews = false
    /// Whether some files are out of date. A later call with `gathers` false renders them.
    package var isBehind = false
    /// The number of unread posts in the published file.
    package var unread: Int
    /// The posts in the file, if they or the read position may have changed since this process last published it.
    package var changed: PostLines?
    /// The files that the caller renders now; `nil` if there are none.
    package var rendering: Rendering?
  }

  /// Updates the JSON file, creating its folder if it does not exist, and determines which files in other formats are to be
  /// rendered from it. Each file is replaced atomically.
  ///
  /// The JSON file is replaced when its content changes, or when its `freshUntil` would pass before the next refresh. A missing file
  /// is always written. The files are not synced: after a power failure, they are published again from the database.
  /// - Parameters:
  ///   - state: the state to publish instead of the stored state, if it was not stored.
  ///   - pages: pages that have not been stored in the database yet.
  ///   - gathers: whether to leave formats that may temporarily be out of date for a later call, unless their file is missing.
  ///   - mayBeTorn: whether an earlier process may have left incomplete or outdated files behind.
  ///   - unfinished: the formats of earlier renderings that have not ended. The new rendering includes them, so it can replace those
  ///     that have not begun.
  package func publish(
    from database: any AccountStorage, as state: AccountState? = nil, with pages: [UnstoredPage] = [],
    gathers: Bool = false, mayBeTorn: Bool = false, unfinished: Set<PublishedFormat> = [], at now: Timestamp
  ) throws(PublishError) -> Outcome {
    let memory = memory(of: database)
    memory.hasChangedPosts = false
    let state = try reading { () throws(StorageError) -> AccountState in
      if let state { state } else { try database.state() }
    }
    // A new database that has no response yet would replace the posts published from the previous one.
    if let problem = state[timeline].problem, state[timeline].refreshedAt == nil, let published = published(),
      !published.posts.isEmpty
    {
      memory.allPostsChanged()
      return try replace(by: content(published, problem, since: state[timeline].staleSince, at: now), memory)
    }
    let current = try reading { () throws(StorageError) -> PublishedPosts? in
      pages.isEmpty ? try self.current(memory, database, state) : nil
    }
    let isFirst = memory.isFirst
    // The first publication in a process is not deferred, because pictures are fetched only when a page needs them.
    var due = due(memory, hasChanged: current == nil, gathers: gathers && !isFirst, unfinished, at: now)
    if let current {
      if isFirst { markPageCurrent(memory, &due, mayBeTorn: mayBeTorn) }
      memory.isInherited = false
      return try outcome(
        rendering: due, of: current.head, in: current.file, from: current.start,
        with: reading { () throws(StorageError) in try overview(of: database, for: due, at: now) }, memory,
        concernsViews: isFirst || !due.isEmpty, at: now)
    }
    var (content, window) = try reading { () throws(StorageError) -> (PublishedContent, PostWindow) in
      try self.content(of: database, state, pages, memory, for: due, at: now)
    }
    let areSame = memory.posts.map { $0.areSame && $0.readUpTo == state[timeline].readUpTo } ?? false
    let isReplaced: Bool
    let file: FileStatus
    if memory.posts == nil, let found = folder.upToDate(content, until: state[timeline].freshness?.refreshDue) {
      content.head = found.head
      (file, isReplaced) = (found.file, false)
      if isFirst { markPageCurrent(memory, &due, mayBeTorn: mayBeTorn) }
    } else {
      (file, isReplaced) = (try write(content, memory), true)
    }
    let posts = published(content, window, state, as: file)
    // Posts that are not stored in the database cannot be compared later.
    memory.posts = pages.isEmpty ? posts : nil
    memory.isInherited = false
    var outcome = try outcome(
      rendering: due, of: content.head, in: file, from: posts.start, with: content.overview, memory,
      concernsViews: isFirst || isReplaced || !due.isEmpty, at: now)
    if !areSame { outcome.changed = content.lines }
    return outcome
  }

  /// Records the result of a rendering.
  /// - Parameter isLast: whether no later rendering follows. Otherwise, that one includes the same formats.
  package func note(_ rendered: RenderingOutcome, isLast: Bool, for database: any PostStorage) {
    let memory = memory(of: database)
    memory.files.merge(rendered.files) { $1 }
    guard isLast, rendered.isOutdated || rendered.failure != nil else { return }
    // The next publication checks all files.
    memory.posts = nil
    memory.formats = nil
    memory.waiting.formUnion(rendered.unwritten)
  }

  /// Returns whether some files are out of date that no rendering is to write.
  package func isBehind(_ database: any PostStorage) -> Bool { !memory(of: database).waiting.isEmpty }

  /// Returns whether the timeline's posts have changed since the files were written.
  package func lacksChanges(of database: any PostStorage) -> Bool {
    memory(of: database).hasChangedPosts
  }

  /// Records that the files may be out of date because settings have changed. Files whose content is the same are not written.
  package func settingsWereChanged(for database: any PostStorage) {
    memory(of: database).waiting.formUnion(formats)
  }

  /// Records that there are stored pictures that the page does not show yet.
  package func picturesWereStored(for database: any PostStorage) {
    memory(of: database).waiting.formUnion(formats.filter(\.form.isPage))
  }

  /// Returns whether the JSON file remains valid with this state: it contains the posts in the database, and its `freshUntil` is
  /// after the next refresh.
  /// - Parameter isLikely: whether to compare an earlier process's file with the database, which takes as long as publishing it.
  package func remainsValid(
    with state: AccountState, of database: any AccountStorage, isLikely: Bool = true
  ) throws(StorageError) -> Bool {
    let memory = memory(of: database)
    if memory.posts == nil, isLikely { try inherit(memory, database, state) }
    return try current(memory, database, state) != nil
  }

  /// Adopts the file of an earlier process if it has the content of the database.
  private func inherit(
    _ memory: PublicationMemory, _ database: any AccountStorage, _ state: AccountState
  ) throws(StorageError) {
    let window = try window(of: database, state, [], nil)
    var content = PublishedContent(
      try head(of: database, state, [], window), window.lines, madeAt: Timestamp(milliseconds: 0))
    guard let found = folder.upToDate(content, until: state[timeline].freshness?.refreshDue) else { return }
    content.head = found.head
    memory.posts = published(content, window, state, as: found.file)
    memory.isInherited = true
  }

  /// Publishes the problem that the database cannot be read, leaving the published posts unchanged.
  /// - Parameter now: the current time, published as the start of the problem unless an earlier problem is already published.
  /// - Returns: `nil` if no file has been published yet.
  package func publish(_ problem: Problem, at now: Timestamp) throws(PublishError) -> Outcome? {
    guard let published = published() else { return nil }
    let content = content(published, problem, since: published.head.staleSince ?? now, at: now)
    return try replace(by: content, PublicationMemory())
  }

  // MARK: Files to write

  private func memory(of database: any PostStorage) -> PublicationMemory {
    PublicationMemories.of(database)[timeline]
  }

  /// Returns the published posts if the JSON file remains valid with this state.
  private func current(
    _ memory: PublicationMemory, _ database: any AccountStorage, _ state: AccountState
  ) throws(StorageError) -> PublishedPosts? {
    guard let posts = memory.posts, posts.areSame, posts.keepPosts == state.publishedPosts(keepPosts),
      posts.readUpTo == state[timeline].readUpTo,
      (try? FileStatus.of(folder.timeline)) == posts.file
    else { return nil }
    var window = PostWindow()
    (window.last, window.unread, window.newestRead) = (posts.last, posts.head.unread, posts.head.readUpTo)
    let head = try head(of: database, state, [], window)
    return head.isCovered(by: posts.head, until: state[timeline].freshness?.refreshDue) ? posts : nil
  }

  /// Returns the formats to render now, and records which other formats are out of date.
  private func due(
    _ memory: PublicationMemory, hasChanged: Bool, gathers: Bool, _ unfinished: Set<PublishedFormat>, at now: Timestamp
  ) -> Set<PublishedFormat> {
    var due: Set<PublishedFormat> = []
    let promise = memory.posts?.head.freshUntil
    memory.waiting.formIntersection(formats)
    for format in formats {
      // Anything other than a regular file is replaced immediately.
      let status = (try? FileStatus.of(folder.file(format))).flatMap { $0.isRegular ? $0 : nil }
      let isUnfinished = unfinished.contains(format)
      guard
        hasChanged || memory.waiting.contains(format)
          || !isUnfinished && (status == nil || memory.files[format] != status)
      else { continue }
      if gathers, !isUnfinished, status != nil, format.form.mayWait(at: now, until: promise) {
        memory.waiting.insert(format)
      } else {
        due.insert(format)
      }
    }
    return due.isEmpty ? due : due.union(unfinished.intersection(formats))
  }

  /// Marks an existing page as current, because it was written together with the existing file: its content differs only in the time of
  /// writing. With pictures, it is written again, because an earlier process may not have fetched all of them.
  private func markPageCurrent(_ memory: PublicationMemory, _ due: inout Set<PublishedFormat>, mayBeTorn: Bool) {
    guard !mayBeTorn, folder.media?.isOn != true else { return }
    for format in formats where format.form.isPage {
      guard let status = try? FileStatus.of(folder.file(format)) else { continue }
      memory.files[format] = status
      memory.waiting.remove(format)
      due.remove(format)
    }
  }

  /// Replaces the JSON file, and has all formats rendered from it.
  private func replace(by content: PublishedContent, _ memory: PublicationMemory) throws(PublishError) -> Outcome {
    let file = try write(content, memory)
    return try outcome(
      rendering: Set(formats), of: content.head, in: file, from: file.size - TimelineFile.size(of: content.lines),
      with: content.overview, memory, concernsViews: true, at: content.madeAt)
  }

  private func write(_ content: PublishedContent, _ memory: PublicationMemory) throws(PublishError) -> FileStatus {
    // They are set again once the file has been written.
    memory.posts = nil
    do throws(SystemError) { return try folder.writeTimeline(content) } catch { throw .file(error) }
  }

  /// Returns the outcome with the rendering of the formats that are due. A rendering also removes the files of formats that are no longer
  /// published, so that no earlier rendering writes them again.
  private func outcome(
    rendering due: Set<PublishedFormat>, of head: TimelineHead, in file: FileStatus, from start: Int,
    with overview: Publication.Overview, _ memory: PublicationMemory, concernsViews: Bool, at now: Timestamp
  ) throws(PublishError) -> Outcome {
    if memory.hasRemovedPosts {
      do throws(SystemError) { try account.openedPages.remove() } catch { throw .file(error) }
      memory.hasRemovedPosts = false
    }
    memory.waiting.subtract(due)
    var outcome = Outcome(concernsViews: concernsViews, isBehind: !memory.waiting.isEmpty, unread: head.unread)
    if !due.isEmpty || memory.formats != formats {
      outcome.rendering = Rendering(
        folder: folder, formats: due, head: head, overview: overview, madeAt: now, timeline: file, start: start)
      memory.formats = formats
    }
    return outcome
  }

  /// The formats published in addition to the JSON file.
  private var formats: [PublishedFormat] { folder.formats }

  // MARK: Content

  private func content(
    of database: any AccountStorage, _ state: AccountState, _ pages: [UnstoredPage], _ memory: PublicationMemory,
    for due: Set<PublishedFormat>, at now: Timestamp
  ) throws(StorageError) -> (PublishedContent, PostWindow) {
    let window = try window(of: database, state, pages, memory.posts)
    let head = try head(of: database, state, pages, window)
    let overview = try overview(of: database, for: due, at: now)
    return (PublishedContent(head, window.lines, overview: overview, madeAt: now), window)
  }

  /// Returns what to remember of a file with this content.
  private func published(
    _ content: PublishedContent, _ window: PostWindow, _ state: AccountState, as file: FileStatus
  ) -> PublishedPosts {
    PublishedPosts(
      keepPosts: state.publishedPosts(keepPosts), count: content.lines.count, last: window.last,
      readUpTo: state[timeline].readUpTo, head: content.head, file: file,
      start: file.size - TimelineFile.size(of: content.lines))
  }

  /// Returns the published content with a different problem.
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
    // A gap is published only if there are posts on both sides of it.
    let gaps =
      try window.last.map { last throws(StorageError) in try database.gaps(of: timeline, downTo: last, with: pages) }
      ?? []
    return TimelineHead(
      account: account.account, timeline: timeline, provider: provider, user: state.identity?.user,
      refreshedAt: state[timeline].refreshedAt,
      freshUntil: state[timeline].freshness?.freshUntil, staleSince: state[timeline].staleSince,
      problem: state[timeline].problem,
      loginNeededBy: loginNeededBy, readUpTo: window.newestRead, unread: window.unread,
      gaps: gaps.map { PublishedGap($0) })
  }

  /// Returns the posts to publish. Unchanged posts are read from the published file, unless another program has changed it.
  private func window(
    of database: any AccountStorage, _ state: AccountState, _ pages: [UnstoredPage], _ former: PublishedPosts?
  ) throws(StorageError) -> PostWindow {
    let keepPosts = state.publishedPosts(keepPosts)
    if pages.isEmpty, let former, former.keepPosts == keepPosts,
      let file = try? File.read(folder.timeline, ifStill: former.file),
      let window = try former.window(of: timeline, in: database, file: file, readUpTo: state[timeline].readUpTo)
    {
      return window.withReadPosition(state[timeline].readUpTo)
    }
    var window = PostWindow()
    // The capacity is reserved in advance: a growing array would touch new memory each time it doubles.
    let size = (try? FileStatus.of(folder.timeline))?.size ?? 0
    window.lines.reserveCapacity(min(size, PublishedFolder.sizeLimit) * 5 / 4)
    for post in try database.postsAbove(of: timeline, in: pages).prefix(keepPosts) {
      window.lines.append { $0 += post.json }
      window.last = post.mark
    }
    window.unread = window.lines.count
    try database.appendPosts(
      of: timeline, atMost: keepPosts - window.lines.count, from: nil, readUpTo: state[timeline].readUpTo, to: &window)
    return window.withReadPosition(state[timeline].readUpTo)
  }

  /// Returns the numbers that a page shows; none if no page is due.
  private func overview(
    of database: any AccountStorage, for due: Set<PublishedFormat>, at now: Timestamp
  ) throws(StorageError) -> Publication.Overview {
    guard due.contains(where: \.form.isPage) else { return Publication.Overview() }
    let spending = try budget?.lines(of: database.spending(), at: now) ?? []
    guard timeline == .home else {
      // The archive counts the posts of each hour only for the home timeline.
      let kept = try database.timelines().first { $0.name == timeline }?.posts ?? 0
      return Publication.Overview(kept: kept, spending: spending)
    }
    return Publication.Overview(
      hours: try database.hoursOfWeek(at: now), kept: try database.countOfPosts(),
      spending: spending)
  }

  /// The time when the login expires, according to the stored token.
  private var loginNeededBy: Timestamp? { (try? tokens.read())?.loginExpiresAt }

  /// Returns the published file, if it is readable.
  private func published() -> TimelineFile? {
    guard let bytes = try? TrustedFile.read(folder.timeline, limit: PublishedFolder.sizeLimit) else { return nil }
    return try? TimelineFile.read(bytes)
  }

  private func reading<Value>(_ body: () throws(StorageError) -> Value) throws(PublishError) -> Value {
    do throws(StorageError) { return try body() } catch { throw .database(error) }
  }
}

extension TimelineState {
  /// The freshness of a file published now; `nil` while refreshes fail, or if none is scheduled.
  package var freshness: Freshness? {
    guard staleSince == nil, problem == nil, let nextRefreshAt else { return nil }
    return Freshness(refreshedAt: refreshedAt, nextRefreshAt: nextRefreshAt)
  }
}

extension PostWindow {
  /// Returns the window with a read position. If the post at this position was removed, the next lower position is used or, if there is
  /// none, the original one.
  fileprivate func withReadPosition(_ read: PostPosition?) -> PostWindow {
    var window = self
    window.newestRead = newestRead ?? read?.id
    return window
  }
}
