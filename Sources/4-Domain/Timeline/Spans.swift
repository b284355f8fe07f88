/// The known parts of a timeline: spans that neither touch nor overlap, newest first.
///
/// Each page immediately becomes a span, and is joined with the spans that it touches. After an interruption between two pages, the gaps
/// are thus exactly the ranges that were not fetched.
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

  /// Returns whether no post on a page is newer than all known posts.
  package func reach(above page: Page) -> Bool {
    guard let newest = page.stretch?.upperBound else { return true }
    return top.map { newest <= $0.newest } ?? false
  }

  /// Adds a page requested without a cursor: the newest posts.
  package mutating func insert(head page: Page) {
    guard let stretch = page.stretch else { return }
    let oldest = min(stretch.lowerBound, page.reaches ?? stretch.lowerBound)
    insert(Span(newest: stretch.upperBound, oldest: oldest, older: page.older))
  }

  /// Adds a page requested with a span's cursor: it extends that span downwards, even if it has no entries.
  ///
  /// If no span has this cursor any more, the page becomes a separate span.
  package mutating func insert(_ page: Page, continuing cursor: PageCursor) {
    guard let index = all.firstIndex(where: { $0.older == cursor }) else { return insert(head: page) }
    let above = all.remove(at: index)
    let floor = [above.oldest, page.stretch?.lowerBound, page.reaches].compactMap { $0 }.min()!
    insert(Span(newest: above.newest, oldest: floor, older: page.older))
  }

  private mutating func insert(_ span: Span) {
    var joined = all.filter(span.touches).reduce(span) { $0.joined(with: $1) }
    // There is nothing below the known posts. After a page that ends at the same post, another request would again find nothing.
    if let bottom, bottom.older == nil, joined.oldest == bottom.oldest {
      joined = Span(newest: joined.newest, oldest: joined.oldest, older: nil)
    }
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
