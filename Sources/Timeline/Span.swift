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
