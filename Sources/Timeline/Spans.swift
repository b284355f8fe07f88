/// What is known of a timeline: stretches that neither touch nor overlap, newest first.
///
/// A page is taken as a stretch of its own at once; whatever it touches grows together with it. So a stop between two
/// pages loses nothing and invents nothing: what was not fetched is the space between.
package struct Spans: Sendable, Hashable {
  package private(set) var all: [Span]

  /// - Parameter spans: in any order; those that touch are joined.
  package init(_ spans: [Span] = []) {
    all = []
    for span in spans.sorted(by: { $0.newest > $1.newest }) {
      // Newest first, so that a span can touch only the one that was put last.
      if let last = all.last, last.touches(span) {
        all[all.count - 1] = last.joined(with: span)
      } else {
        all.append(span)
      }
    }
  }

  package var top: Span? { all.first }
  package var bottom: Span? { all.last }

  /// The spaces between the spans, newest first.
  package var gaps: [Gap] {
    zip(all, all.dropFirst()).map { above, below in
      Gap(after: below.newest, before: above.oldest, cursor: above.older)
    }
  }

  /// Takes a page that was asked for without a cursor: the newest posts.
  package mutating func insert(head page: Page) {
    guard let stretch = page.stretch else { return }
    let oldest = min(stretch.lowerBound, page.reaches ?? stretch.lowerBound)
    insert(Span(newest: stretch.upperBound, oldest: oldest, older: page.older))
  }

  /// Takes a page that was asked for with the cursor of a span: it continues that span downwards, entries or none.
  ///
  /// A cursor that no span has any more changes nothing but what the page itself shows: then it counts as a page of its own.
  package mutating func insert(_ page: Page, continuing cursor: PageCursor) {
    guard let index = all.firstIndex(where: { $0.older == cursor }) else { return insert(head: page) }
    let above = all.remove(at: index)
    let floor = [above.oldest, page.stretch?.lowerBound, page.reaches].compactMap { $0 }.min()!
    insert(Span(newest: above.newest, oldest: floor, older: page.older))
  }

  private mutating func insert(_ span: Span) {
    let joined = all.filter(span.touches).reduce(span) { $0.joined(with: $1) }
    all.removeAll(where: span.touches)
    all.append(joined)
    all.sort { $0.newest > $1.newest }
  }

  /// Lets go of what lies below a post: nothing older is kept, and nothing older is to be asked for.
  package mutating func cut(below mark: PostMark) {
    all.removeAll { $0.newest < mark }
    guard let last = all.popLast() else { return }
    all.append(Span(newest: last.newest, oldest: max(last.oldest, mark), older: nil))
  }

  /// Keeps the newest place alone, and nothing older is to be asked for: for a timeline of which nothing is kept any more.
  package mutating func cutToTop() {
    guard let top else { return }
    all = [Span(newest: top.newest, oldest: top.newest, older: nil)]
  }
}

/// A stretch of the timeline of which every post is known.
package struct Span: Sendable, Hashable {
  package let newest: PostMark
  package let oldest: PostMark
  /// How to ask for what comes below it; `nil` when that is out of the provider's reach.
  package let older: PageCursor?

  package init(newest: PostMark, oldest: PostMark, older: PageCursor?) {
    precondition(oldest <= newest, "a span must not begin below its end")
    self.newest = newest
    self.oldest = oldest
    self.older = older
  }

  func touches(_ other: Span) -> Bool { oldest <= other.newest && other.oldest <= newest }

  /// Both together. What comes below is below the deeper of the two.
  func joined(with other: Span) -> Span {
    let deeper = other.oldest < oldest ? other : self
    return Span(newest: max(newest, other.newest), oldest: deeper.oldest, older: deeper.older)
  }
}

/// The space between two spans: posts may lie there that were never fetched. Derived from the spans, never stored.
package struct Gap: Sendable, Hashable {
  /// The newest known post below the gap.
  package let after: PostMark
  /// The oldest known post above the gap.
  package let before: PostMark
  /// How to ask for what lies in it; `nil` when the provider no longer reaches it.
  package let cursor: PageCursor?

  package init(after: PostMark, before: PostMark, cursor: PageCursor?) {
    self.after = after
    self.before = before
    self.cursor = cursor
  }

  package var isFillable: Bool { cursor != nil }
}
