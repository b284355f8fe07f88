/// A provider's prices, in millionths of a US dollar.
package struct Prices: Sendable, Hashable {
  /// The day when the prices were looked up on the provider's pages, such as `2026-08-22`.
  package var readOn: String
  package var microUSDPerPost: Int64
  package var microUSDPerUser: Int64
  /// The maximum number of posts delivered for one post on a page: the post itself, and the posts that it refers to.
  package var postsWithOne: Int
  /// The maximum number of users delivered with one post on a page.
  package var usersWithOne: Int
  /// The maximum number of posts on one page, without referenced posts.
  package var pageSize: Int
  package var writing: WritingPrices

  init(
    readOn: String, microUSDPerPost: Int64, microUSDPerUser: Int64, postsWithOne: Int, usersWithOne: Int, pageSize: Int,
    writing: WritingPrices
  ) {
    self.readOn = readOn
    self.microUSDPerPost = microUSDPerPost
    self.microUSDPerUser = microUSDPerUser
    self.postsWithOne = postsWithOne
    self.usersWithOne = usersWithOne
    self.pageSize = pageSize
    self.writing = writing
  }

  /// X's v2 API, pay per use: 0.005 for a post and 0.010 for a user ([X's pages](https://docs.x.com/x-api/getting-started/pricing)). The
  /// pages do not state whether X charges for included users; homeline assumes that it does.
  ///
  /// A post can include the post that it replies to and the post that it quotes, each with its author. A repost includes one other post.
  /// Included posts do not include further posts.
  package static let x = Prices(
    readOn: "2026-08-22", microUSDPerPost: 5000, microUSDPerUser: 10_000, postsWithOne: 3, usersWithOne: 3,
    pageSize: 100,
    writing: WritingPrices(
      post: 15_000, postWithLink: 200_000, repost: 15_000, bookmark: 5000, removal: 10_000, description: 5000,
      ownPost: 1000))
}

extension Prices {
  /// The maximum cost of a page with one post, in millionths of a US dollar.
  package var microUSDOfPageOfOne: Int64 {
    Int64(postsWithOne) * microUSDPerPost + Int64(usersWithOne) * microUSDPerUser
  }
}
