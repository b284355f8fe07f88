/// A post as it stands in the timeline of the API v2: the first version, or a later one under an id of its own.
struct PostVersion: Sendable {
  let id: UInt64
  let post: SandboxPost

  /// The ids of all versions, the first one first.
  var history: [UInt64] { id == post.id ? [id] : [post.id, id] }

  /// The text, by which a later version can be told from the first one.
  var pieces: [PostPiece] { id == post.id ? post.pieces : [.plain("Edited: ")] + post.pieces }
}
