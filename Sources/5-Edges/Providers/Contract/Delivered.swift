/// The objects in a response that a provider may charge for, both requested and included ones.
package struct Delivered: Sendable, Hashable {
  /// The ids of the posts, possibly with duplicates.
  package var posts: [String]
  package var users: [String]
  /// The number of objects without a readable id.
  package var namelessPosts: Int
  package var namelessUsers: Int

  package init(posts: [String] = [], users: [String] = [], namelessPosts: Int = 0, namelessUsers: Int = 0) {
    self.posts = posts
    self.users = users
    self.namelessPosts = namelessPosts
    self.namelessUsers = namelessUsers
  }

  mutating func add(post id: String?) { if let id { posts.append(id) } else { namelessPosts += 1 } }
  mutating func add(user id: String?) { if let id { users.append(id) } else { namelessUsers += 1 } }
}
