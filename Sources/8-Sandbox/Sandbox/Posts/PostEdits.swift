/// Edited posts. The edited version has its own id.
struct PostEdits: Sendable {
  /// The interval of edited posts: every Nth post is edited; 1 or more.
  let every: Int
  /// The time between the original and the edit; at most 30 minutes on X.
  let after: Duration
}
