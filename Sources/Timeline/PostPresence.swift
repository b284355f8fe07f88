/// Whether a server still has a post, as it answers when it is asked for that post alone.
package enum PostPresence: Sendable, Hashable {
  case present
  /// The server says that there is no such post, or none that this user may see.
  case gone
  /// The answer says nothing about the post.
  case unknown
}
