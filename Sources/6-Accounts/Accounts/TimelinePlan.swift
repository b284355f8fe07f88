package import Timeline

/// Decides which page of a home timeline to request next, as a value.
///
/// The newest page is requested first, with a known post as its lower bound. If a provider's timeline is read upwards, the page just above
/// that post is requested instead. If that page is full of new posts, the newest page without a bound follows, or the page above. If the
/// newest page does not reach the known posts, the pages below it follow until one does. Then, while fewer posts are known than wanted, the
/// pages below all known posts follow. Each page is stored before the next is requested, so stopping loses nothing: the spans alone show
/// which pages are missing.
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
  /// Whether only the wanted posts are requested, because each post costs money or the user wants no more at first. Otherwise, full pages
  /// are requested, because servers leave out posts, and a second request costs more than a few extra posts.
  private let isExact: Bool
  /// The last request for a page other than the newest page.
  private var asked: Request?
  /// Whether posts can exist above the newest known post, because the last page of a timeline that is read upwards was full.
  package private(set) var isBehind = false
  /// The lower bound of the last request that was not for an older page.
  private var bound: PostPosition?
  /// A lower bound with so many known posts above it that they fill a page. A request with this bound would find no new posts.
  private var crowded: PostPosition?

  /// - Parameters:
  ///   - wanted: the number of posts that should be known.
  ///   - pageSize: the maximum number of posts in a response.
  ///   - reach: the number of posts that the provider delivers in total, counted from the newest one.
  ///   - isExact: whether only the wanted posts are requested.
  package init(wanted: Int, pageSize: Int, reach: Int, isExact: Bool = false) {
    self.wanted = wanted
    self.pageSize = pageSize
    self.reach = Self.reach(reach, pageSize: pageSize)
    self.isExact = isExact
  }

  /// The maximum number of pages in one round, regardless of what the server returns: the newest page, plus as many as the wanted posts
  /// fill.
  package var longestRound: Int { min(1 + (wanted + pageSize - 1) / pageSize, 10) }

  /// Returns the request for the newest posts.
  /// - Parameters:
  ///   - spans: the known spans.
  ///   - since: a known post a little below the newest one, so that late posts are included.
  package mutating func newest(_ spans: Spans, since: PostPosition?) -> Request {
    asked = nil
    isBehind = false
    bound = since != nil && since == crowded ? spans.top?.newest : since
    return Request(older: nil, since: bound, count: spans.top == nil && isExact ? min(wanted, pageSize) : pageSize)
  }

  /// Records that a page requested without a cursor was received. A full page that ends at the newest known post contains only known posts,
  /// so it says nothing about newer posts.
  /// - Parameters:
  ///   - isFull: whether the server read upwards from the bound, and returned as many posts as fit on a page.
  ///   - newest: the newest position on the page; `nil` if it is empty.
  ///   - known: the newest position that was known before.
  package mutating func tookNewest(isFull: Bool, upTo newest: PostPosition?, above known: PostPosition?) {
    isBehind = isFull && newest != known
    guard isFull, let newest, let known, newest <= known else { return }
    crowded = bound
  }

  /// Records that the newest page was received without a lower bound. Posts that are missing below it are a gap.
  package mutating func tookNewestWithoutBound() { isBehind = false }

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
    if request.older == nil { bound = request.since }
    return request
  }

  /// Returns whether another page can be requested. The page just received is not requested again, so a server whose pages lead nowhere
  /// gets no further request until a new round begins.
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
      request = Request(older: older, since: nil, count: isExact ? min(wanted - known, pageSize) : pageSize)
    }
    // Pages below the same cursor are treated as one page, regardless of their bounds.
    let isAsked = request.older == nil ? request == asked : request.older == asked?.older
    return isAsked ? nil : request
  }

  /// Returns the reach to assume, one page shorter than stated, because deleted posts count towards it without being delivered.
  private static func reach(_ reach: Int, pageSize: Int) -> Int { reach - pageSize }
}
