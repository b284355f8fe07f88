package import Posting

/// The final result that a user's command gets for its post.
package struct PostOutcome: Sendable {
  package let intent: PostIntent
  /// Why the post was not sent although it should have been. `nil` if it was sent or refused, needs a login, or waits for its author's
  /// chosen time or another post's outcome.
  package let wait: PostWait?

  package init(_ intent: PostIntent, wait: PostWait? = nil) {
    self.intent = intent
    self.wait = wait
  }
}
