/// The result of looking at a post.
package enum PostLook: Sendable, Hashable {
  case seen(SeenPost)
  /// The server does not have the post, or this user may not see it.
  case gone
  /// The response is about another post, or proves nothing.
  case unclear
}
