/// An account's spending limits if reading costs money. A limit is `nil` if there is none. Days and months are in UTC.
package struct Budget: Sendable, Hashable {
  /// The number of posts that may be delivered per day, including referenced posts.
  package var postsPerDay: Int?
  /// The limit per day, in millionths of a US dollar.
  package var microUSDPerDay: Int64?
  /// The limit per month, in millionths of a US dollar.
  package var microUSDPerMonth: Int64?

  package init(postsPerDay: Int? = nil, microUSDPerDay: Int64? = nil, microUSDPerMonth: Int64? = nil) {
    self.postsPerDay = postsPerDay
    self.microUSDPerDay = microUSDPerDay
    self.microUSDPerMonth = microUSDPerMonth
  }
}

/// A provider's prices, in millionths of a US dollar.
package struct Prices: Sendable, Hashable {
  /// The day on which the prices were looked up on the provider's pages, such as `2026-08-22`.
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
  /// pages do not say whether X charges for included users; homeline assumes that it does.
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

/// A provider's prices for publishing, in millionths of a US dollar per request.
package struct WritingPrices: Sendable, Hashable {
  /// The price of a post without a link. X charges less for some replies; homeline assumes the full price for all of them.
  package var post: Int64
  package var postWithLink: Int64
  var repost: Int64
  var bookmark: Int64
  /// The price of deleting a post, or of undoing an action.
  var removal: Int64
  /// The price of describing one of a post's files. Uploading it costs nothing.
  package var description: Int64
  /// The price of reading one of the user's own posts with the user's own application, to find out whether a post was published.
  package var ownPost: Int64

  /// Returns the price of publishing a post.
  /// - Parameter descriptions: the number of descriptions to send.
  package func cost(ofPostWithLink hasLink: Bool, descriptions: Int = 0) -> Int64 {
    (hasLink ? postWithLink : post) + Int64(descriptions) * description
  }

  /// Returns the price of an action on a post.
  /// - Parameter action: `delete`, `repost`, `like` or `bookmark`.
  package func cost(ofAction action: String, isUndone: Bool) -> Int64 {
    if isUndone { return removal }
    switch action {
    case "delete": return removal
    case "bookmark": return bookmark
    default: return repost
    }
  }
}

extension Prices {
  /// The maximum cost of a page with one post, in millionths of a US dollar.
  package var microUSDOfPageOfOne: Int64 {
    Int64(postsWithOne) * microUSDPerPost + Int64(usersWithOne) * microUSDPerUser
  }
}
