/// Whether a server still has a post, according to its response to a request for that post.
package enum PostPresence: Sendable, Hashable {
  case present
  /// The server has no such post, or none that this user may see.
  case gone
  /// The response proves nothing.
  case unknown
}
