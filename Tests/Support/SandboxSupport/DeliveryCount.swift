internal import HTTP
internal import JSON
import Sandbox

/// The objects that X's v2 API has delivered. They are counted from its responses, as for a bill.
package struct DeliveryCount: Sendable, Equatable {
  /// The number of timeline pages, including empty pages.
  package var pages = 0
  /// The number of posts, both on pages and included.
  package var posts = 0
  /// The number of included users, plus the number of responses with the user.
  package var users = 0

  package init(pages: Int = 0, posts: Int = 0, users: Int = 0) {
    self.pages = pages
    self.posts = posts
    self.users = users
  }

  mutating func count(_ response: Response, to request: Request) {
    guard response.status == .ok else { return }
    switch request.target.path {
    case TwitterRoute.usersMe.path: users += 1
    case TwitterRoute.reverseChronological.path:
      pages += 1
      do {
        var cursor = JSONCursor(response.body)
        try cursor.members { cursor, name in
          switch name {
          case "data": posts += try Self.count(&cursor)
          case "includes": try countIncluded(&cursor)
          default: try cursor.skip()
          }
        }
      } catch { preconditionFailure("the v2 API sends JSON: \(error)") }
    default: break
    }
  }

  private mutating func countIncluded(_ cursor: inout JSONCursor) throws {
    try cursor.members { cursor, name in
      switch name {
      case "tweets", "posts": posts += try Self.count(&cursor)
      case "users": users += try Self.count(&cursor)
      default: try cursor.skip()
      }
    }
  }

  private static func count(_ cursor: inout JSONCursor) throws -> Int {
    var count = 0
    try cursor.elements { cursor in
      try cursor.skip()
      count += 1
    }
    return count
  }
}
