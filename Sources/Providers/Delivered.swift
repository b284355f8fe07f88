/// What an answer has brought that a provider may charge for: what was asked for and what came along.
package struct Delivered: Sendable, Hashable {
  /// Ids, some perhaps twice.
  package var posts: [String]
  package var users: [String]
  /// How many came of which no id could be read.
  package var namelessPosts: Int
  package var namelessUsers: Int

  package init(posts: [String] = [], users: [String] = [], namelessPosts: Int = 0, namelessUsers: Int = 0) {
    self.posts = posts
    self.users = users
    self.namelessPosts = namelessPosts
    self.namelessUsers = namelessUsers
  }

  package var countOfPosts: Int { posts.count + namelessPosts }
  package var countOfUsers: Int { users.count + namelessUsers }

  mutating func add(post id: String?) { if let id { posts.append(id) } else { namelessPosts += 1 } }
  mutating func add(user id: String?) { if let id { users.append(id) } else { namelessUsers += 1 } }
}
