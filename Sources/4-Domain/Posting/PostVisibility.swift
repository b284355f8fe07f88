/// Who can see a post, in Mastodon's terms.
package enum PostVisibility: String, Sendable, Hashable, CaseIterable {
  case everyone = "public"
  /// Everyone can see the post, but public timelines do not show it.
  case unlisted
  /// Followers only.
  case followers = "private"
  /// Mentioned users only.
  case direct

  /// Returns whether more people can see such a post than a post with another visibility.
  package func isWider(than other: PostVisibility) -> Bool { breadth > other.breadth }

  private var breadth: Int {
    switch self {
    case .direct: 0
    case .followers: 1
    case .unlisted: 2
    case .everyone: 3
    }
  }

  /// Who can see the post, as the object of a preposition.
  var audience: String {
    switch self {
    case .everyone: "everyone"
    case .unlisted: "those who know of it"
    case .followers: "followers"
    case .direct: "the mentioned users"
    }
  }
}
