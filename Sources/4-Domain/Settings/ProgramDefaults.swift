package import OAuthValues

/// The defaults if neither the account nor its provider has a value, and the allowed ranges.
package enum ProgramDefaults {
  package static let callbackPort: UInt16 = 8765
  package static let webPort: UInt16 = 8766
  package static let sandboxPort: UInt16 = 8767
  package static let callbackPath = "/callback"
  package static let signatureMethod = SignatureMethod.hmacSHA1

  /// Twitter's v1.1 API allows 15 requests in 15 minutes. This interval leaves a third of them for the user's own refreshes and gaps.
  package static let refreshInterval = Duration.seconds(90)
  /// Below 15 s, a refresh may still be running when the next one is due. Above a day, a service is of no use.
  package static let refreshSeconds: ClosedRange<Int64> = 15...86_400

  /// The number of posts to publish: a status bar needs one, a feed a hundred, and the page shows two hundred.
  package static let keepPosts = 200
  /// The number of posts that accounts of earlier versions publish. Programs may rely on it, so such an account keeps it.
  package static let formerKeepPosts = 800
  /// The number of newest posts to fetch, which is what a home timeline contains in the v1.1 API. An account without an archive keeps them.
  package static let fetchedPosts = 800
  /// The published file is written as a whole, and 10,000 posts are about ten megabytes.
  package static let keepPostsRange: ClosedRange<Int64> = 1...10_000
  /// The default number of posts in a view.
  package static let viewPosts = 200
  /// The default number of posts in a feed. It is enough for a feed reader that reads the feed once a day, and not too much for one that
  /// reads it often.
  package static let feedPosts = 100
  /// The maximum number of views. Each is rewritten after every refresh of one of its accounts.
  package static let views = 100
  /// The maximum number of front servers of the web page.
  package static let webOrigins = 16
  /// The maximum number of timelines of an account.
  package static let timelines = 100
  /// The maximum number of authors, words or languages in one of a view's lists, and the maximum number of characters in each of them.
  package static let filterTexts = 1000
  package static let filterTextLength = 200
  /// The maximum number of strings in a program and its arguments.
  package static let hookArguments = 100
  /// The longest time is a hundred years.
  package static let keepDaysRange: ClosedRange<Int64> = 1...36_500
  /// Long enough to notice if a server lost posts by mistake and restored them.
  package static let eraseDeletedDays = 30
  package static let eraseDeletedDaysRange: ClosedRange<Int64> = 0...36_500
  /// A picture takes about 100 kB, so this is enough for two thousand of them.
  package static let mediaMegabytes = 200
  package static let mediaMegabytesRange: ClosedRange<Int64> = 0...100_000
  /// X's own cap is three million a month.
  package static let postsPerDayRange: ClosedRange<Int64> = 1...1_000_000
  /// The cost beyond which a post must be confirmed. On X, this is more than the price of a post, but less than the price of a post with a
  /// link.
  static let confirmAboveMicroUSD: Int64 = 50_000
  /// The highest budget, in millionths of a US dollar. Anything larger is certainly a mistake.
  package static let highestBudget: Int64 = 1_000_000 * MicroUSD.one
}
