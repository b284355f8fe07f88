package import HomelineOAuth

/// The defaults used if neither the account nor its provider has a value, and the ranges of values.
package enum ProgramDefaults {
  package static let callbackPort: UInt16 = 8765
  package static let sandboxPort: UInt16 = 8766
  package static let callbackPath = "/callback"
  package static let signatureMethod = SignatureMethod.hmacSHA1

  /// Twitter's v1.1 API allows 15 requests in 15 minutes; this leaves a third of them for the user's own refreshes and for gaps.
  package static let refreshInterval = Duration.seconds(90)
  /// Below 15 s, a refresh may not have ended before the next is due; a day is the longest interval for which a service is still useful.
  package static let refreshSeconds: ClosedRange<Int64> = 15...86_400

  /// How many posts back a home timeline in the v1.1 API goes.
  package static let keepPosts = 800
  /// The published file is written completely after each refresh: 10,000 posts are about ten megabytes.
  package static let keepPostsRange: ClosedRange<Int64> = 1...10_000
  /// The default number of posts in a view.
  package static let viewPosts = 200
  /// The default number of posts in a feed: more than a feed reader that fetches once a day misses, and little to fetch for one that
  /// fetches often.
  package static let feedPosts = 100
  /// The maximum number of views. Each is rewritten after every refresh of one of its accounts.
  package static let views = 100
  /// The maximum number of authors, words or languages in a view's list, and the maximum number of characters in each of them.
  package static let filterTexts = 1000
  package static let filterTextLength = 200
  /// A program and its arguments.
  package static let hookArguments = 100
  /// A hundred years.
  package static let keepDaysRange: ClosedRange<Int64> = 1...36_500
  /// Long enough to notice that a server lost posts by mistake and has restored them.
  package static let eraseDeletedDays = 30
  package static let eraseDeletedDaysRange: ClosedRange<Int64> = 0...36_500
  /// A picture is about 100 kB, so this is two thousand of them.
  package static let mediaMegabytes = 200
  package static let mediaMegabytesRange: ClosedRange<Int64> = 0...100_000
  /// X's own cap is three million a month.
  package static let postsPerDayRange: ClosedRange<Int64> = 1...1_000_000
  /// In millionths of a US dollar. Larger amounts are certainly mistakes.
  /// The cost above which a post must be confirmed: more than a post at X costs, and less than one with a link.
  static let confirmAboveMicroUSD: Int64 = 50_000
  package static let highestBudget: Int64 = 1_000_000 * MicroUSD.one
}
