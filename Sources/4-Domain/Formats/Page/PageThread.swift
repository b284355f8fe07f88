internal import Timeline

/// The replies among the posts on the page.
package struct PageThread: Sendable {
  private let places: [Key: Int]
  private let posts: [PublishedPost]

  private struct Key: Hashable {
    let account: String
    let id: PostID
  }

  /// - Parameter posts: the posts on the page, in their order.
  package init(_ posts: [PublishedPost]) {
    self.posts = posts
    places = Dictionary(
      posts.enumerated().map { (Key(account: $1.account, id: $1.post.id), $0) }, uniquingKeysWith: { first, _ in first }
    )
  }

  /// Returns the post on the page that this one replies to.
  func repliedTo(by post: PublishedPost) -> PublishedPost? {
    guard let reply = post.post.inReplyTo else { return nil }
    return places[Key(account: post.account, id: reply.id)].map { posts[$0] }
  }

  /// Returns whether the post at this index replies to the one below it and is by the same author.
  func continuesBelow(_ place: Int) -> Bool {
    guard posts.indices.contains(place + 1) else { return false }
    let (above, parent) = (posts[place], posts[place + 1])
    return above.post.inReplyTo?.id == parent.post.id && above.account == parent.account
      && above.post.author.id == parent.post.author.id && isPlain(above.post) && isPlain(parent.post)
  }

  /// Returns whether a post is in the timeline because of its author alone.
  private func isPlain(_ post: Post) -> Bool { post.repostedBy == nil && post.notice == nil }
}
