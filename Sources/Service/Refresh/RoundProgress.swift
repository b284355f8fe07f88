/// How far the pages of a round have come.
package struct RoundProgress: Sendable, Hashable {
  package let pages: Int
  /// A round may end before.
  package let atMost: Int
  /// How many new posts the pages have brought.
  package let posts: Int
}
