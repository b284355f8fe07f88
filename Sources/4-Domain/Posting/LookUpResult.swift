package import Time

/// The outcome of looking for a post.
package enum LookUpResult: Sendable, Hashable {
  case found(SentPost)
  /// The post is not on the server: the user has published nothing since the first attempt.
  case absent(String)
  /// The post could not be identified with certainty. It may nevertheless have been published.
  case inconclusive(String)
  /// The user's posts could not be read this time.
  /// - Parameter until: the earliest time to ask again, if the server gave one.
  case failed(String, until: Timestamp? = nil)
}
