package import CivilTime
package import Files
internal import JSON
package import Media
internal import Platform
internal import Publish
package import Settings
package import Storage
internal import Timeline

/// Publishes a view from the archives of its accounts, read as they are at that moment while their owners may be writing.
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

  /// The name of a view as the provider of its file.
  private static let provider = "view"

  /// What a call has written.
  package struct Outcome {
    /// The pictures that the page shows, newest first, by the account that they came through; `nil` where no page was written.
    package var pictures: [AccountName: [String]]?
    /// Whether there are files that are behind, for a later call that gathers nothing.
    package var isBehind = false
  }

  /// Brings the view's files up to date. As of an account, `home_timeline.json` is replaced when its content changes, or promises too little.
  /// - Parameter gathers: whether formats whose files may be behind are left for a later call. One without a file is not.
  @discardableResult
  package func publish(gathers: Bool = false, at now: Timestamp) throws(PublishError) -> Outcome {
    let (publication, refreshDue): (Publication, Timestamp?)
    do throws(StorageError) { (publication, refreshDue) = try self.publication(at: now) } catch {
      throw .database(error)
    }
    let folder = PublishedFolder(
      path: layout.viewFolder(of: view.name.text), formats: view.publish, feedPosts: view.feedPosts,
      owner: "view:\(view.name)", wayToCache: "../../", media: media)
    var content = PublishedContent(publication)
    let standing = folder.standing(content, until: refreshDue)
    if let standing { content.head = standing.head }
    var outcome = Outcome()
    var due: Set<PublishedFormat> = []
    for format in view.publish {
      if gathers, format.form.isGathered, File.exists(folder.file(format)) {
        // Nothing is remembered of a view: what is behind is made anew later, and written where it differs.
        outcome.isBehind = outcome.isBehind || standing == nil
      } else {
        due.insert(format)
      }
    }
    do throws(SystemError) {
      let written = try folder.write(content, due, withTimeline: standing == nil)
      try folder.removeOthers()
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
    var shelves: [ViewPostReader] = []
    defer { for table in shelves { table.close() } }
    for account in view.accounts {
      guard let database = try database(of: account), database.hasArchive else { continue }
      shelves.append(try ViewPostReader(account.text, database))
    }
    let posts = try merged(&shelves)
    var overview = Publication.Overview()
    if view.publish.contains(where: \.form.isPage) {
      var hours = [Int](repeating: 0, count: 168)
      for table in shelves {
        for (hour, count) in try table.database.hoursOfWeek(at: now).enumerated() { hours[hour] += count }
        overview.kept += try table.database.kept()
      }
      overview.hours = hours
    }
    let head = head(of: shelves, posts)
    let refreshDue = head.freshUntil == nil ? nil : shelves.compactMap(\.state.freshness?.refreshDue).max()
    return (Publication(head: head, posts: posts, overview: overview, madeAt: now), refreshDue)
  }

  /// An account's database; `nil` where it has nothing yet, or none that can be used: its own file says what is the matter with it.
  /// - Throws: where only the disk refuses for now: a view without the account's posts would take them from its readers.
  private func database(of account: AccountName) throws(StorageError) -> (any TimelineReading)? {
    do throws(StorageError) { return try storage.openForReading(.home(of: account), isSnapshot: false) } catch {
      switch error.kind {
      case .damaged, .newerVersion: return nil
      default: throw error
      }
    }
  }

  /// The newest posts of all accounts that the filter lets through.
  private func merged(_ shelves: inout [ViewPostReader]) throws(StorageError) -> [PublishedPost] {
    // More than are shown, since some will be folded; and not without end, where the filter lets hardly anything through.
    let wanted = view.keepPosts + (view.foldsCrossPosts ? view.keepPosts / 4 : 0)
    var left = max(5000, 20 * view.keepPosts)
    var found: [PublishedPost] = []
    while found.count < wanted, left > 0 {
      for index in shelves.indices { try shelves[index].fill() }
      guard
        let newest = shelves.indices.filter({ shelves[$0].next != nil }).max(by: {
          shelves[$0].isOlder(than: shelves[$1])
        }),
        let post = shelves[newest].take()
      else { break }
      left -= 1
      if filter.includes(post.post) { found.append(post) }
    }
    guard view.foldsCrossPosts else { return found.map(Self.finished) }
    return CrossPosts.folded(found.map { ($0.account, $0.post) }).prefix(view.keepPosts).map { index, alsoAt in
      var post = found[index]
      post.alsoAt = alsoAt
      return Self.finished(post)
    }
  }

  /// The post with what its account's file need not say.
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

  /// It is as fresh as a whole as the account that is promised freshness for the shortest time, and as stale as its stalest.
  private func head(of shelves: [ViewPostReader], _ posts: [PublishedPost]) -> TimelineHead {
    let states = shelves.map { ($0.account, $0.state) }
    let stale = states.filter { $0.1.staleSince != nil }.min { $0.1.staleSince! < $1.1.staleSince! }
    let problem = stale.flatMap { account, state in
      state.problem.map { Problem(code: $0.code, message: "\(account): \($0.message)", retryAt: $0.retryAt) }
    }
    return TimelineHead(
      account: view.name.text, provider: Self.provider, refreshedAt: states.compactMap { $0.1.refreshedAt }.max(),
      freshUntil: stale == nil ? states.compactMap { $0.1.freshness?.freshUntil }.min() : nil,
      staleSince: stale?.1.staleSince,
      problem: problem, unread: posts.count(where: \.isUnread))
  }
}

/// One account's posts for a view, newest first and a few at a time.
struct ViewPostReader {
  let account: String
  package let database: any TimelineReading
  package let state: AccountState
  private var waiting: ArraySlice<PublishedPost> = []
  private var lowest: PostKey?
  private var isEmpty = false

  private static let portion = 100

  package init(_ account: String, _ database: any TimelineReading) throws(StorageError) {
    self.account = account
    self.database = database
    state = try database.state()
  }

  /// The post that comes next; to be asked after `fill()`.
  package var next: PublishedPost? { waiting.first }

  /// Of two that both have a post.
  func isOlder(than other: ViewPostReader) -> Bool {
    guard let next, let others = other.next else { return next == nil }
    return next.post.createdAt < others.post.createdAt
  }

  mutating func take() -> PublishedPost? { waiting.popFirst() }

  /// Fetches the next posts when none waits any more.
  mutating func fill() throws(StorageError) {
    while waiting.isEmpty, !isEmpty {
      let posts = try database.posts(below: lowest, atMost: Self.portion)
      isEmpty = posts.count < Self.portion
      lowest = posts.last?.mark.key
      waiting =
        posts.compactMap { known in
          (try? PostJSON.read(known.json)).map { post in
            PublishedPost(
              post: post, json: known.json, account: account,
              isUnread: state.readUpTo.map { $0 < known.mark } ?? true)
          }
        }[...]
    }
  }

  package func close() { database.close() }
}
