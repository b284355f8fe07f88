package import Timeline

/// Up to where an account is read.
package struct ReadMark: Sendable, Hashable {
  package let upTo: PostID?
  /// How many posts are newer.
  package let unread: Int
}
