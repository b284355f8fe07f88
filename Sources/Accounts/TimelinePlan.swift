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
    package let since: PostPosition?
    /// How many posts at most.
    package let count: Int

    package init(older: PageCursor?, since: PostPosition?, count: Int) {
      self.older = older
      self.since = since
      self.count = count
    }
  }

  /// How many posts are to be known.
  package let wanted: Int
  private let pageSize: Int
  /// How far the server answers, in posts from its newest one. Which server it is, an answer may show.
  package private(set) var reach: Int
  /// Whether no post is asked for beyond what is wanted, because each one costs.
  private let isThrifty: Bool
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
    self.reach = Self.reach(reach, pageSize: pageSize)
    self.isThrifty = isThrifty
  }

  /// How many pages one round may take, whatever the server answers: the newest and as many as the wanted posts fill.
  package var longestRound: Int { min(1 + (wanted + pageSize - 1) / pageSize, 10) }

  /// The page of the newest posts.
  /// - Parameters:
  ///   - spans: what is known now.
  ///   - since: a known post a little below the newest one, so that posts that appear late are seen too.
  package mutating func newest(_ spans: Spans, since: PostPosition?) -> Request {
    asked = nil
    isBehind = false
    return Request(older: nil, since: since, count: spans.top == nil && isThrifty ? min(wanted, pageSize) : pageSize)
  }

  /// A page of the newest posts has come, and more above it are known of or not.
  package mutating func tookNewest(hasNewer: Bool) { isBehind = hasNewer }

  /// An answer has shown which server it is, and so how far its timelines reach.
  package mutating func learnReach(_ reach: Int) { self.reach = Self.reach(reach, pageSize: pageSize) }

  /// The page that is missed most: above what was read upwards, else of the newest gap, else of the older posts. `nil` when nothing is missed.
  /// - Parameters:
  ///   - known: how many posts are known.
  ///   - overlap: a known post a little below the gap that is filled next (`gapToFill(in:)`), in the same span; `nil` for the gap's own
  ///     edge. A page that is bounded by it shows known posts when it has reached them, whatever the reach of the server.
  package mutating func below(_ spans: Spans, known: Int, overlap: PostPosition? = nil) -> Request? {
    guard let request = missing(in: spans, known: known, overlap: overlap) else { return nil }
    asked = request
    return request
  }

  /// Whether there is a page to ask for beside others. The one just answered is none: a server whose pages lead nowhere is not
  /// asked again until a new round begins.
  package func hasMore(_ spans: Spans, known: Int) -> Bool { missing(in: spans, known: known, overlap: nil) != nil }

  /// The gap that is filled next.
  package static func gapToFill(in spans: Spans) -> Gap? { spans.gaps.first(where: \.isFillable) }

  /// The page without its claim that nothing lies below it, where the provider may only have come to the end of its reach: it
  /// moves a bound that lies deeper without saying so.
  /// - Parameter depth: how many known posts lie above what was asked for.
  package func proven(_ page: Page, depth: Int) -> Page {
    depth < reach ? page : Page(entries: page.entries, older: page.older, stretch: page.stretch, deleted: page.deleted)
  }

  private func missing(in spans: Spans, known: Int, overlap: PostPosition?) -> Request? {
    let request: Request
    if isBehind, let top = spans.top {
      // From the newest itself: a page that begins below it could be as full as the one before, and lead nowhere.
      request = Request(older: nil, since: top.newest, count: pageSize)
    } else if let gap = Self.gapToFill(in: spans) {
      request = Request(older: gap.cursor, since: overlap ?? gap.after, count: pageSize)
    } else {
      guard known < wanted, let older = spans.bottom?.older else { return nil }
      request = Request(older: older, since: nil, count: isThrifty ? min(wanted - known, pageSize) : pageSize)
    }
    // Two pages below the same cursor are the same page, whatever bounds them.
    let isAsked = request.older == nil ? request == asked : request.older == asked?.older
    return isAsked ? nil : request
  }

  /// Deleted posts count towards the reach and are not seen, so it is taken a page shorter than it is.
  private static func reach(_ reach: Int, pageSize: Int) -> Int { reach - pageSize }
}

/// Which page of a home timeline is asked for.
package enum PageKind {
  /// The newest posts.
  case newest
  /// The posts that are missing below them, if any are.
  case below
}
