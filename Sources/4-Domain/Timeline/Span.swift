/// A range of the timeline where every post is known.
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
