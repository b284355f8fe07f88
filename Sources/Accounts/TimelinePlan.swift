package import Timeline

/// Decides which page of a home timeline to request next, as a value.
///
/// The newest page is requested first, with a known post as its lower bound. If a provider's timeline is read upwards, the page just above
/// that post and the pages above it are requested instead. If the newest page does not reach the known posts, the pages below it follow
/// until one does. Then, while fewer posts are known than wanted, the pages below all known posts follow. Each page is stored before the
/// next is requested, so stopping at any time loses nothing: the missing pages can be derived from the spans alone.
package struct TimelinePlan: Sendable {
  /// The posts that a page request selects.
  package struct Request: Sendable, Equatable {
    /// Only posts below this cursor; `nil` for the newest posts.
    package let older: PageCursor?
    /// Only posts above this known post; `nil` for no bound.
    package let since: PostPosition?
    /// The maximum number of posts.
    package let count: Int

    init(older: PageCursor?, since: PostPosition?, count: Int) {
      self.older = older
      self.since = since
      self.count = count
    }
  }

  /// The number of posts that should be known.
  package let wanted: Int
  private let pageSize: Int
  /// The number of posts that the server delivers, counted from the newest one. It can change when a response reveals the server's
  /// software.
  package private(set) var reach: Int
  /// Whether only the wanted posts are requested, because each post costs money.
  private let isThrifty: Bool
  /// The last request for a page other than the newest page.
  private var asked: Request?
  /// Whether posts are known to exist above the last newest page.
  private var isBehind = false

  /// - Parameters:
  ///   - wanted: the number of posts that should be known.
  ///   - pageSize: the maximum number of posts in a response.
  ///   - reach: the number of posts that the provider delivers in total, counted from the newest one.
  ///   - isThrifty: whether only the wanted posts are requested.
  package init(wanted: Int, pageSize: Int, reach: Int, isThrifty: Bool = false) {
    self.wanted = wanted
    self.pageSize = pageSize
    self.reach = Self.reach(reach, pageSize: pageSize)
    self.isThrifty = isThrifty
  }

  /// The maximum number of pages in one round, whatever the server returns: the newest page, plus as many as the wanted posts fill.
  package var longestRound: Int { min(1 + (wanted + pageSize - 1) / pageSize, 10) }

  /// Returns the request for the newest posts.
  /// - Parameters:
  ///   - spans: the known spans.
  ///   - since: a known post a little below the newest one, to include posts that appear late.
  package mutating func newest(_ spans: Spans, since: PostPosition?) -> Request {
    asked = nil
    isBehind = false
    return Request(older: nil, since: since, count: spans.top == nil && isThrifty ? min(wanted, pageSize) : pageSize)
  }

  /// Records that a newest page was received, and whether more posts are known to exist above it.
  package mutating func tookNewest(hasNewer: Bool) { isBehind = hasNewer }

  /// Sets how far the server's timelines reach, after a response has revealed the server's software.
  package mutating func learnReach(_ reach: Int) { self.reach = Self.reach(reach, pageSize: pageSize) }

  /// Returns the request for the most important missing page: above the posts that were read upwards, otherwise in the newest gap,
  /// otherwise among the older posts; `nil` if nothing is missing.
  /// - Parameters:
  ///   - known: the number of known posts.
  ///   - overlap: a known post a little below the next gap to fill (`gapToFill(in:)`), in the span just below it; `nil` to use the gap's
  ///     lower edge. With this bound, a page that closes the gap contains known posts, however far the server's timeline reaches.
  package mutating func below(_ spans: Spans, known: Int, overlap: PostPosition? = nil) -> Request? {
    guard let request = missing(in: spans, known: known, overlap: overlap) else { return nil }
    asked = request
    return request
  }

  /// Returns whether another page can be requested. The page that was just received is not requested again, so a server whose pages lead
  /// nowhere receives no further request until a new round begins.
  package func hasMore(_ spans: Spans, known: Int) -> Bool { missing(in: spans, known: known, overlap: nil) != nil }

  /// Returns the next gap to fill.
  package static func gapToFill(in spans: Spans) -> Gap? { spans.gaps.first(where: \.isFillable) }

  /// Returns the page. If the provider's own limit may have been reached, the returned page does not claim that no posts are below it,
  /// because the provider silently moves a lower bound up to that limit.
  /// - Parameter depth: the number of known posts above the requested page.
  package func proven(_ page: Page, depth: Int) -> Page {
    depth < reach ? page : Page(entries: page.entries, older: page.older, stretch: page.stretch, deleted: page.deleted)
  }

  private func missing(in spans: Spans, known: Int, overlap: PostPosition?) -> Request? {
    let request: Request
    if isBehind, let top = spans.top {
      // Begin at the newest post itself: a page that begins below it could be just as full as the previous page, and add nothing.
      request = Request(older: nil, since: top.newest, count: pageSize)
    } else if let gap = Self.gapToFill(in: spans) {
      request = Request(older: gap.cursor, since: overlap ?? gap.after, count: pageSize)
    } else {
      guard known < wanted, let older = spans.bottom?.older else { return nil }
      request = Request(older: older, since: nil, count: isThrifty ? min(wanted - known, pageSize) : pageSize)
    }
    // Pages below the same cursor are treated as one page, whatever their bounds.
    let isAsked = request.older == nil ? request == asked : request.older == asked?.older
    return isAsked ? nil : request
  }

  /// Returns the reach to assume, one page shorter than stated, because deleted posts count towards it without being delivered.
  private static func reach(_ reach: Int, pageSize: Int) -> Int { reach - pageSize }
}

/// Which page of a home timeline is requested.
package enum PageKind {
  /// The newest posts.
  case newest
  /// The missing posts below the newest posts, if there are any.
  case below
}
