package import Timeline

/// Which page of a home timeline is asked for next, as a value.
///
/// First the newest page, from a known post on; at a provider that is read upwards, the page just above that post, and those above it. If
/// it does not reach what is known, the pages below it, until one does. Then, while fewer posts are known than are wanted, the pages below
/// everything. Each page is stored before the next is asked for, so a stop
/// anywhere loses nothing: what is missing follows from the spans alone.
package struct TimelinePlan: Sendable {
  /// Which posts a page is asked for.
  package struct Request: Sendable, Equatable {
    /// Below this; `nil` for the newest.
    package let older: PageCursor?
    /// Above this known post; `nil` for no bound.
    package let since: PostMark?
    /// How many posts at most.
    package let count: Int

    package init(older: PageCursor?, since: PostMark?, count: Int) {
      self.older = older
      self.since = since
      self.count = count
    }
  }

  /// How many posts are to be known.
  package let wanted: Int
  private let pageSize: Int
  /// How far the provider answers, in posts from its newest one.
  package let reach: Int
  /// Whether no post is asked for beyond what is wanted, because each one costs.
  private let isThrifty: Bool
  /// What the newest page was bounded by last, and the newest known post before it, above which the gap lies that it may have
  /// opened itself.
  private var former: (top: PostMark?, since: PostMark?) = (nil, nil)
  /// The page beside others that was asked for last.
  private var asked: Request?
  /// Whether the newest page that came is known not to be the newest that there is.
  private var isBehind = false

  /// - Parameters:
  ///   - wanted: how many posts are to be known.
  ///   - pageSize: how many one answer can bring.
  ///   - reach: how many posts, counted from its newest one, the provider gives at all.
  ///   - isThrifty: whether no post beyond the wanted ones is to be asked for.
  package init(wanted: Int, pageSize: Int, reach: Int, isThrifty: Bool = false) {
    self.wanted = wanted
    self.pageSize = pageSize
    // Deleted posts count towards the reach and are not seen, so it is taken a page shorter than it is.
    self.reach = reach - pageSize
    self.isThrifty = isThrifty
  }

  /// How many pages one round may take, whatever the server answers: the newest and as many as the wanted posts fill.
  package var longestRound: Int { min(1 + (wanted + pageSize - 1) / pageSize, 10) }

  /// The page of the newest posts.
  /// - Parameters:
  ///   - spans: what is known now.
  ///   - since: a known post a little below the newest one, so that posts that appear late are seen too.
  package mutating func newest(_ spans: Spans, since: PostMark?) -> Request {
    former = (spans.top?.newest, since)
    asked = nil
    isBehind = false
    return Request(older: nil, since: since, count: spans.top == nil && isThrifty ? min(wanted, pageSize) : pageSize)
  }

  /// A page of the newest posts has come, and more above it are known of or not.
  package mutating func tookNewest(hasNewer: Bool) { isBehind = hasNewer }

  /// The page that is missed most: above what was read upwards, else of the newest gap, else of the older posts. `nil` when nothing is missed.
  /// - Parameter known: how many posts are known.
  package mutating func below(_ spans: Spans, known: Int) -> Request? {
    guard let request = missing(in: spans, known: known) else { return nil }
    asked = request
    return request
  }

  /// Whether there is a page to ask for beside others. The one just answered is none: a server whose pages lead nowhere is not
  /// asked again until a new round begins.
  package func hasMore(_ spans: Spans, known: Int) -> Bool { missing(in: spans, known: known) != nil }

  /// The page without its claim that nothing lies below it, where the provider may only have come to the end of its reach: it
  /// moves a bound that lies deeper without saying so.
  /// - Parameter depth: how many known posts lie above what was asked for.
  package func proven(_ page: Page, depth: Int) -> Page {
    depth < reach ? page : Page(entries: page.entries, older: page.older, stretch: page.stretch, deleted: page.deleted)
  }

  private func missing(in spans: Spans, known: Int) -> Request? {
    let request: Request
    if isBehind, let top = spans.top {
      // From the newest itself: a page that begins below it could be as full as the one before, and lead nowhere.
      request = Request(older: nil, since: top.newest, count: pageSize)
    } else if let gap = spans.gaps.first(where: \.isFillable) {
      // Above a gap that the newest page opened the bound lies a little lower than the gap, so that a page that reaches it shows a
      // known post; above an older one the gap's own edge: then an empty page says that nothing lies between.
      let bound = gap.after == former.top ? former.since ?? gap.after : gap.after
      request = Request(older: gap.cursor, since: bound, count: pageSize)
    } else {
      guard known < wanted, let older = spans.bottom?.older else { return nil }
      request = Request(older: older, since: nil, count: isThrifty ? min(wanted - known, pageSize) : pageSize)
    }
    return request == asked ? nil : request
  }
}
