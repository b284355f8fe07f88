/// What the API v2 has delivered, as a bill would count it.
package struct SandboxLedger: Sendable, Equatable {
  /// Timelines that were answered with data or without.
  package var pages = 0
  /// Posts of pages, and posts that came along.
  package var posts = 0
  /// Users that came along, and oneself.
  package var users = 0

  package init(pages: Int = 0, posts: Int = 0, users: Int = 0) {
    self.pages = pages
    self.posts = posts
    self.users = users
  }
}
