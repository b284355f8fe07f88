/// A place in a timeline. The post is generated only when the place is on a page.
enum SandboxEntry: Sendable {
  /// A post in the home timeline, by its index.
  case home(Int, id: UInt64)
  /// A post outside the home timeline, by its index there.
  case outside(Int, id: UInt64)
  case post(SandboxPost)

  var id: UInt64 {
    switch self {
    case .home(_, let id), .outside(_, let id): id
    case .post(let post): post.id
    }
  }
}
