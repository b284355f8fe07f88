internal import Formats
internal import Settings
internal import Storage
internal import Time
internal import Timeline

/// Reads the posts of a view page by page, in the order of their times. The archives are read to their ends, not only what the view publishes.
struct ViewPages {
  let view: ViewSettings
  let conditions: PostConditions
  /// Where the page begins; `nil` for the beginning.
  let place: SharedPlace?
  /// The address of the view with its conditions.
  let address: WebAddress

  /// The maximum number of additional posts on a page. They keep posts of the same time together, so that a post in two timelines of an
  /// account is on one page only.
  private static let overlength = 50

  /// - Parameter archives: the archives by account. An account without one has no posts.
  func page(of archives: [AccountName: any TimelineReading]) throws(StorageError) -> PostPage {
    var sources: [Source] = []
    for key in view.timelines {
      guard let archive = archives[key.account] else { continue }
      sources.append(try Source(key, archive, from: place, portion: max(8, PostPage.size / view.timelines.count)))
    }
    let isShared = Set(sources.map(\.key.account)).count < sources.count
    let filters = [CompiledFilter(view.filter), CompiledFilter(conditions.filter)]
    var page = PostPage()
    var seen: Set<String> = []
    var left = PostPage.furthest
    var last: SharedPlace?
    while true {
      for index in sources.indices { try sources[index].fill() }
      guard let newest = Self.latest(of: sources) else { break }
      let excess = max(page.posts.count - PostPage.size, -left)
      if excess >= 0, let last, last.time != sources[newest].next?.time || excess >= Self.overlength {
        page.older = last.added(to: address)
        page.hasEndedEarly = page.posts.count < PostPage.size
        break
      }
      guard let taken = sources[newest].take() else { break }
      last = taken.place
      left -= 1
      page.reached = taken.place.time
      guard let post = taken.post, !conditions.onlyUnread || post.isUnread else { continue }
      // Several timelines of an account can contain the same post or the same event.
      let kind = post.post.notice == nil ? "post" : "event"
      guard !isShared || seen.insert("\(post.account) \(kind) \(post.post.entryID)").inserted else { continue }
      if filters.allSatisfy({ $0.includes(post.post) }) { page.append(post, of: sources[newest].key) }
    }
    if view.foldsCrossPosts { page.posts = Self.folded(page.posts) }
    return page
  }

  private static func latest(of sources: [Source]) -> Int? {
    sources.indices.filter { sources[$0].next != nil }.max { one, other in
      guard let first = sources[one].next, let second = sources[other].next else { return false }
      return SharedPlace.isLater(second, of: sources[other].name, than: first, of: sources[one].name)
    }
  }

  /// Returns the posts of a page without those that another account has too.
  private static func folded(_ posts: [PublishedPost]) -> [PublishedPost] {
    CrossPosts.folded(posts.map { ($0.account, $0.post) }).map { index, alsoAt in
      var post = posts[index]
      post.alsoAt = alsoAt
      return post
    }
  }

  /// One timeline of the view.
  private struct Source {
    let key: TimelineKey
    let name: String
    private let archive: any TimelineReading
    private let mark: PostPosition?
    private let portion: Int
    private var moment: PostMoment?
    private var waiting: ArraySlice<TimedPost> = []
    private var isEmpty = false

    init(
      _ key: TimelineKey, _ archive: any TimelineReading, from place: SharedPlace?, portion: Int
    ) throws(StorageError) {
      (self.key, self.archive, self.portion) = (key, archive, portion)
      name = key.description
      mark = try archive.state()[key.timeline].readUpTo
      moment = place?.moment(for: name)
    }

    var next: TimedPost? { waiting.first }

    mutating func fill() throws(StorageError) {
      guard waiting.isEmpty, !isEmpty else { return }
      let posts = try archive.posts(of: key.timeline, before: moment, atMost: portion)
      isEmpty = posts.count < portion
      moment = posts.last?.moment ?? moment
      waiting = posts[...]
    }

    /// Returns the next post; its content is `nil` if it cannot be read.
    mutating func take() -> (place: SharedPlace, post: PublishedPost?)? {
      guard let timed = waiting.popFirst() else { return nil }
      let post = try? PostJSON.read(timed.post.json)
      return (
        SharedPlace(timed, of: name),
        post.map {
          PublishedPost(
            post: $0, json: timed.post.json, account: key.account.text,
            isUnread: mark.map { $0 < timed.post.mark } ?? true)
        }
      )
    }
  }
}
