internal import Posting
package import Time
package import Timeline

/// The circumstances of an attempt to post.
package struct PostingContext: Sendable {
  package let author: User
  /// The id of the post that the draft replies to.
  package let replyTo: String?
  /// The ids of the user's newest posts before the first attempt; `nil` if they are unknown.
  let knownBefore: Set<String>?
  /// The ids of the posts that homeline has published with other drafts.
  let claimed: Set<String>
  /// The time of the first attempt.
  let sentAt: Timestamp

  package init(
    author: User, replyTo: String? = nil, knownBefore: Set<String>? = nil, claimed: Set<String> = [], sentAt: Timestamp
  ) {
    self.author = author
    self.replyTo = replyTo
    self.knownBefore = knownBefore
    self.claimed = claimed
    self.sentAt = sentAt
  }

  /// Returns how the post that an attempt publishes is recognised.
  func recognition(of draft: PostDraft) -> PostRecognition {
    PostRecognition(
      of: draft, replyTo: replyTo, by: author.id, sentAt: sentAt, knownBefore: knownBefore, claimed: claimed)
  }
}
