/// The known parts of a timeline: spans that neither touch nor overlap, newest first.
///
/// Each page becomes a span at once and is joined with the spans that it touches. So after an interruption between two pages, the gaps
/// are exactly the ranges that were not fetched.
package struct Spans: Sendable, Hashable {
  package private(set) var all: [Span]

  /// - Parameter spans: in any order; touching spans are joined.
  package init(_ spans: [Span] = []) {
    all = []
    for span in spans.sorted(by: { $0.newest > $1.newest }) {
      // Newest first, so a span can touch only the last one.
      if let last = all.last, last.touches(span) {
        all[all.count - 1] = last.joined(with: span)
      } else {
        all.append(span)
      }
    }
  }

  package var top: Span? { all.first }
  package var bottom: Span? { all.last }

  /// The gaps between the spans, newest first.
  package var gaps: [Gap] {
    zip(all, all.dropFirst()).map { above, below in
      Gap(after: below.newest, before: above.oldest, cursor: above.older)
    }
  }

  /// Adds a page that was requested without a cursor: the newest posts.
  package mutating func insert(head page: Page) {
    guard let stretch = page.stretch else { return }
    let oldest = min(stretch.lowerBound, page.reaches ?? stretch.lowerBound)
    insert(Span(newest: stretch.upperBound, oldest: oldest, older: page.older))
  }

  /// Adds a page that was requested with the cursor of a span: it extends that span downwards, even without entries.
  ///
  /// If no span has that cursor any more, the page becomes a separate span.
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

  /// Removes the ranges below a position. Older posts are not requested again.
  package mutating func cut(below mark: PostPosition) {
    all.removeAll { $0.newest < mark }
    guard let last = all.popLast() else { return }
    all.append(Span(newest: last.newest, oldest: max(last.oldest, mark), older: nil))
  }

  /// Keeps only the newest position, for a timeline without stored posts. Older posts are not requested.
  package mutating func cutToTop() {
    guard let top else { return }
    all = [Span(newest: top.newest, oldest: top.newest, older: nil)]
  }
}

/// A range of the timeline in which every post is known.
package struct Span: Sendable, Hashable {
  package let newest: PostPosition
  package let oldest: PostPosition
  /// The cursor of the next older page; `nil` if it is out of the provider's reach.
  package let older: PageCursor?

  package init(newest: PostPosition, oldest: PostPosition, older: PageCursor?) {
    precondition(oldest <= newest, "a span must not begin below its end")
    self.newest = newest
    self.oldest = oldest
    self.older = older
  }

  func touches(_ other: Span) -> Bool { oldest <= other.newest && other.oldest <= newest }

  /// Returns both spans joined, with the cursor of the lower one.
  func joined(with other: Span) -> Span {
    let deeper = other.oldest < oldest ? other : self
    return Span(newest: max(newest, other.newest), oldest: deeper.oldest, older: deeper.older)
  }
}

/// The gap between two spans, which may contain posts that were never fetched. Derived from the spans, and never stored.
package struct Gap: Sendable, Hashable {
  /// The newest known post below the gap.
  package let after: PostPosition
  /// The oldest known post above the gap.
  package let before: PostPosition
  /// The cursor of the next request into the gap; `nil` if the provider no longer serves it.
  package let cursor: PageCursor?

  package init(after: PostPosition, before: PostPosition, cursor: PageCursor?) {
    self.after = after
    self.before = before
    self.cursor = cursor
  }

  package var isFillable: Bool { cursor != nil }
}
