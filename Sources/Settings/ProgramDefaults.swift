package import HomelineOAuth

/// The defaults where neither the account nor its provider has a value, and the ranges of values.
package enum ProgramDefaults {
  package static let callbackPort: UInt16 = 8765
  package static let sandboxPort: UInt16 = 8766
  package static let callbackPath = "/callback"
  package static let signatureMethod = SignatureMethod.hmacSHA1

  /// Twitter's API v1.1 allows 15 requests in 15 minutes; this leaves a third of them to the user's own refreshes and to gaps.
  package static let refreshInterval = Duration.seconds(90)
  /// Below 15 s a refresh may not have ended before the next is due; a day is the longest that still deserves a service.
  package static let refreshSeconds: ClosedRange<Int64> = 15...86_400

  /// As far back as a home timeline of the API v1.1 reaches.
  package static let keepPosts = 800
  /// The published file is written whole after each refresh: 10,000 posts are about ten megabytes.
  package static let keepPostsRange: ClosedRange<Int64> = 1...10_000
  /// The default number of posts in a view.
  package static let viewPosts = 200
  /// The default number of posts in a feed: more than a feed reader that looks once a day misses, and little to fetch for one that looks often.
  package static let feedPosts = 100
  /// The maximum number of views. Each is rewritten after every refresh of one of its accounts.
  package static let views = 100
  /// How many authors, words or languages a list of a view has at most, and how many characters each of them.
  package static let filterTexts = 1000
  package static let filterTextLength = 200
  /// A program and its arguments.
  package static let hookArguments = 100
  /// A hundred years.
  package static let keepDaysRange: ClosedRange<Int64> = 1...36_500
  /// Long enough to notice that a server has lost posts by mistake and has them again.
  package static let eraseDeletedDays = 30
  package static let eraseDeletedDaysRange: ClosedRange<Int64> = 0...36_500
  /// A picture is about 100 kB: two thousand of them.
  package static let mediaMegabytes = 200
  package static let mediaMegabytesRange: ClosedRange<Int64> = 0...100_000
  /// X's own cap is three million a month.
  package static let postsPerDayRange: ClosedRange<Int64> = 1...1_000_000
  /// In millionths of a US dollar. Larger amounts are certainly mistakes.
  package static let highestBudget: Int64 = 1_000_000 * MicroUSD.one
}
