/// Posts that appear late, below newer posts. A client that only uses `since_id` never receives them.
struct LatePosts: Sendable {
  /// The interval of late posts: every Nth post is late; 1 or more.
  let every: Int
  let by: Duration
}
