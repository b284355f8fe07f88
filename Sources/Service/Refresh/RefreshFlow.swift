package import Timeline

/// One refresh of a home timeline as a value: which pages are asked for, and when it is enough.
///
/// First the newest page, from a known post on. If it does not reach what is known, the pages below it, until it does. Then, while
/// fewer posts are known than are kept, the pages below everything. Each page is stored before the next is asked for, so a stop
/// anywhere loses nothing, and the next refresh goes on from what the spans say.
package struct RefreshFlow: Sendable {
  /// Which posts a page is asked for.
  package struct Request: Sendable, Equatable {
    /// Below this; `nil` for the newest.
    package let older: PageCursor?
    /// Above this known post; `nil` for no bound.
    package let since: PostMark?

    package init(older: PageCursor?, since: PostMark?) {
      self.older = older
      self.since = since
    }
  }

  package enum Event: Sendable {
    case begun
    /// The provider's answer, `nil` when nothing has changed since the last one; and whether it allows no more requests now.
    case answered(Page?, isExhausted: Bool)
    /// The page is stored: what is known now, how many of its posts are new, and how many known posts lie above the newest
    /// gap that can be filled (0 when there is none).
    case stored(Spans, new: Int, aboveGap: Int)
  }

  package enum Action: Sendable {
    case ask(Request)
    case store(Page, for: Request)
    /// Enough for now: so many posts are new.
    case finish(new: Int)
  }

  private let since: PostMark?
  private let wanted: Int
  private var budget: Int
  private var known: Int
  private var new = 0
  private var asked: Request?
  /// How far the provider answers, in posts from its newest one.
  private let reach: Int
  /// How many known posts lie above what was asked for.
  private var depth = 0
  /// The newest known post before this refresh, above which the gap lies that it may open itself.
  private let formerTop: PostMark?
  private var isExhausted = false

  /// - Parameters:
  ///   - spans: what is known now.
  ///   - since: a known post a little below the newest one, so that posts that appear late are seen too.
  ///   - known: how many posts are known.
  ///   - wanted: how many are kept.
  ///   - pageSize: how many one answer can bring.
  ///   - reach: how many posts, counted from its newest one, the provider gives at all.
  package init(spans: Spans, since: PostMark?, known: Int, wanted: Int, pageSize: Int, reach: Int) {
    self.since = since
    self.known = known
    self.wanted = wanted
    formerTop = spans.top?.newest
    // Deleted posts count towards the reach and are not seen, so it is taken a page shorter than it is.
    self.reach = reach - pageSize
    // The newest page and as many as the kept posts fill: what one refresh may cost, whatever the server answers.
    budget = min(1 + (wanted + pageSize - 1) / pageSize, 10)
  }

  package mutating func handle(_ event: Event) -> Action {
    switch event {
    case .begun: return ask(Request(older: nil, since: since))
    case .answered(nil, _): return .finish(new: new)
    case .answered(let page?, let isExhausted):
      self.isExhausted = isExhausted
      guard let asked else { preconditionFailure("an answer came before a request") }
      return .store(proven(page), for: asked)
    case .stored(let spans, let new, let aboveGap):
      depth = aboveGap
      self.new += new
      known += new
      guard budget > 0, !isExhausted, let next = next(in: spans) else { return .finish(new: self.new) }
      return ask(next)
    }
  }

  private mutating func ask(_ request: Request) -> Action {
    budget -= 1
    asked = request
    return .ask(request)
  }

  private func next(in spans: Spans) -> Request? {
    if let gap = spans.gaps.first(where: \.isFillable) {
      // Above a gap of this refresh the bound lies a little lower than the gap, so that a page that reaches it shows a known post;
      // above an older one the gap's own edge: then an empty page says that nothing lies between.
      let bound = gap.after == formerTop ? since ?? gap.after : gap.after
      return progress(Request(older: gap.cursor, since: bound))
    }
    guard known < wanted, let older = spans.bottom?.older else { return nil }
    return progress(Request(older: older, since: nil))
  }

  /// The page without its claim that nothing lies below it, where the provider may only have come to the end of its reach: it
  /// moves a bound that lies deeper without saying so.
  private func proven(_ page: Page) -> Page {
    depth < reach ? page : Page(entries: page.entries, older: page.older, stretch: page.stretch)
  }

  /// The request, unless it is the one just answered: a server whose pages lead nowhere is not asked again.
  private func progress(_ request: Request) -> Request? { request == asked ? nil : request }
}
