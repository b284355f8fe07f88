/// Whether a server still has a post, according to its response to a request for that post.
package enum PostPresence: Sendable, Hashable {
  case present
  /// The server does not have the post, or this user may not see it.
  case gone
  /// The response proves nothing.
  case unknown
}
