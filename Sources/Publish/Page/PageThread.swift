internal import Timeline

/// Which posts of the page answer each other.
struct PageThread {
  private let places: [Key: Int]
  private let posts: [PublishedPost]

  private struct Key: Hashable {
    let account: String
    let id: PostID
  }

  init(_ posts: [PublishedPost]) {
    self.posts = posts
    places = Dictionary(
      posts.enumerated().map { (Key(account: $1.account, id: $1.post.id), $0) }, uniquingKeysWith: { first, _ in first }
    )
  }

  /// The post of the page that this one answers.
  func answered(by post: PublishedPost) -> PublishedPost? {
    guard let reply = post.post.inReplyTo else { return nil }
    return places[Key(account: post.account, id: reply.id)].map { posts[$0] }
  }

  /// Whether a person goes on, in the post at this place, with what stands right below it.
  func continuesBelow(_ place: Int) -> Bool {
    guard posts.indices.contains(place + 1) else { return false }
    let (above, below) = (posts[place], posts[place + 1])
    return above.post.inReplyTo?.id == below.post.id && above.account == below.account
      && above.post.author.id == below.post.author.id && above.post.repostedBy == nil && below.post.repostedBy == nil
  }
}
