/// A version of a post on the v2 API timeline: the original, or an edited one with its own id.
struct PostVersion: Sendable {
  let id: UInt64
  let post: SandboxPost

  /// The ids of all versions, oldest first.
  var history: [UInt64] { id == post.id ? [id] : [post.id, id] }

  /// The text, which differs between versions.
  var pieces: [PostPiece] { id == post.id ? post.pieces : [.plain("Edited: ")] + post.pieces }
}
