package import Folders
internal import Formats
internal import JSON
internal import Platform
package import Settings
package import Storage
package import Time
internal import Timeline

/// Publishes a view from its accounts' archives. Each archive is read as of a single moment, even while the state owner writes to it.
package struct ViewPublisher {
  private let view: ViewSettings
  private let layout: FileLayout
  private let storage: any StorageProvider
  private let media: MediaStore?
  private let filter: CompiledFilter

  package init(_ view: ViewSettings, layout: FileLayout, storage: any StorageProvider, media: MediaStore? = nil) {
    self.view = view
    self.layout = layout
    self.storage = storage
    self.media = media
    filter = CompiledFilter(view.filter)
  }

  /// The provider's name in a view's file.
  private static let provider = "view"

  /// The result of publishing a view.
  package struct Outcome {
    /// The pictures on the page by account, newest first; `nil` if no page was written.
    package var pictures: [AccountName: [String]]?
    /// Whether some files are out of date. A later call with `gathers` false writes them.
    package var isBehind = false
    package var summary: PublishedSummary
  }

  /// Updates the view's files. As for an account, `home_timeline.json` is replaced when its content changes, or when its `freshUntil` would
  /// pass before the next refresh.
  /// - Parameter gathers: whether to leave formats that may temporarily be out of date for a later call, unless their file is missing.
  @discardableResult
  package func publish(gathers: Bool = false, at now: Timestamp) throws(PublishError) -> Outcome {
    let (publication, refreshDue): (Publication, Timestamp?)
    do throws(StorageError) { (publication, refreshDue) = try self.publication(at: now) } catch {
      throw .database(error)
    }
    let folder = PublishedFolder(
      files: TimelineFiles(in: layout.viewFolder(of: view.name.text)), formats: view.publish, feedPosts: view.feedPosts,
      owner: "view:\(view.name)", pathToCache: "../../", media: media)
    var content = PublishedContent(publication)
    let upToDate = folder.upToDate(content, until: refreshDue)
    if let upToDate { content.head = upToDate.head }
    var outcome = Outcome(summary: PublishedSummary(publication))
    var due: Set<PublishedFormat> = []
    let promise = gathers && upToDate == nil && view.publish.contains(where: \.form.isPage) ? folder.freshUntil : nil
    for format in view.publish {
      if gathers, format.form.mayWait(at: now, until: promise), File.exists(folder.file(format)) {
        // The state of a view's files is not kept in memory. Formats that were left out are rendered later, and written if they differ.
        outcome.isBehind = outcome.isBehind || upToDate == nil
      } else {
        due.insert(format)
      }
    }
    do throws(SystemError) {
      if upToDate == nil { _ = try folder.writeTimeline(content) }
      let written = folder.write(content, due)
      try folder.removeOthers()
      if let failure = written.failure { throw failure }
      outcome.pictures = written.pictures.map { _ in pictures(of: publication) }
    } catch { throw .file(error) }
    return outcome
  }

  private func pictures(of publication: Publication) -> [AccountName: [String]] {
    var pictures: [AccountName: [String]] = [:]
    for post in publication.posts.prefix(Publication.postsOfPage) {
      guard let account = AccountName(post.account) else { continue }
      pictures[account, default: []] += post.post.pictureURLs
    }
    return pictures
  }

  private func publication(at now: Timestamp) throws(StorageError) -> (Publication, refreshDue: Timestamp?) {
    var readers: [ViewPostReader] = []
    defer { for table in readers { table.close() } }
    for key in view.timelines {
      guard let database = try database(of: key), database.hasArchive else { continue }
      readers.append(try ViewPostReader(key, database))
    }
    let posts = try merged(&readers)
    var overview = Publication.Overview()
    if view.publish.contains(where: \.form.isPage) {
      var hours = [Int](repeating: 0, count: 168)
      for table in readers {
        guard table.key.timeline == .home else {
          overview.kept += try table.database.timelines().first { $0.name == table.key.timeline }?.posts ?? 0
          continue
        }
        for (hour, count) in try table.database.hoursOfWeek(at: now).enumerated() { hours[hour] += count }
        overview.kept += try table.database.countOfPosts()
      }
      overview.hours = hours
    }
    let head = head(of: readers, posts)
    let refreshDue = head.freshUntil == nil ? nil : readers.compactMap(\.state.freshness?.refreshDue).max()
    return (Publication(head: head, posts: posts, overview: overview, madeAt: now), refreshDue)
  }

  /// Returns a timeline's database; `nil` if there is none or it is unusable. The timeline's own file reports this.
  /// - Throws: temporary failures. If the view were published without the timeline's posts, they would disappear for its readers.
  private func database(of timeline: TimelineKey) throws(StorageError) -> (any TimelineReading)? {
    do throws(StorageError) { return try storage.openForReading(timeline, isSnapshot: false) } catch {
      switch error.kind {
      case .damaged, .newerVersion: return nil
      default: throw error
      }
    }
  }

  /// Returns the newest posts of all accounts that pass the filter.
  private func merged(_ readers: inout [ViewPostReader]) throws(StorageError) -> [PublishedPost] {
    // More posts are read than wanted, because some will be folded. Their number is limited, because a filter may match hardly any posts.
    let wanted = view.keepPosts + (view.foldsCrossPosts ? view.keepPosts / 4 : 0)
    var left = max(5000, 20 * view.keepPosts)
    let isShared = Set(readers.map(\.key.account)).count < readers.count
    var seen: Set<String> = []
    var found: [PublishedPost] = []
    while found.count < wanted, left > 0 {
      for index in readers.indices { try readers[index].fill() }
      guard
        let newest = readers.indices.filter({ readers[$0].next != nil }).max(by: {
          readers[$0].isOlder(than: readers[$1])
        }),
        let post = readers[newest].take()
      else { break }
      left -= 1
      // Several timelines of an account can contain the same post or the same event.
      let kind = post.post.notice == nil ? "post" : "event"
      guard !isShared || seen.insert("\(post.account) \(kind) \(post.post.entryID)").inserted else { continue }
      if filter.includes(post.post) { found.append(post) }
    }
    guard view.foldsCrossPosts else { return found.map(Self.finished) }
    return CrossPosts.folded(found.map { ($0.account, $0.post) }).prefix(view.keepPosts).map { remaining in
      var post = found[remaining.index]
      post.alsoAt = remaining.alsoAt
      return Self.finished(post)
    }
  }

  /// Adds to the post the members that an account's own file does not need.
  private static func finished(_ post: PublishedPost) -> PublishedPost {
    var members = JSONWriter()
    members.object { json in
      json.member("account", post.account)
      json.member("unread", post.isUnread)
      if !post.alsoAt.isEmpty { json.member("also_at", list: post.alsoAt) { $0.string($1) } }
    }
    var finished = post
    finished.json = post.json.dropLast() + [UInt8(ascii: ",")] + members.bytes.dropFirst()
    return finished
  }

  /// Returns the view's head.
  private func head(of readers: [ViewPostReader], _ posts: [PublishedPost]) -> TimelineHead {
    let heads = readers.map { reader in
      TimelineHead(
        account: reader.key.account.text, timeline: reader.key.timeline, provider: Self.provider,
        refreshedAt: reader.state.refreshedAt,
        freshUntil: reader.state.freshness?.freshUntil, staleSince: reader.state.staleSince,
        problem: reader.state.problem)
    }
    return .merged(
      heads, account: view.name.text, provider: Self.provider, unread: posts.count(where: \.isUnread))
  }
}
