internal import Time

/// An event that the user is notified of.
struct SandboxEvent: Sendable {
  /// The event's name in Mastodon's API.
  enum Kind: String, Sendable, CaseIterable {
    case mention, status, reblog, follow
    case followRequest = "follow_request"
    case favourite, poll, update, quote
    case severedRelationships = "severed_relationships"
    /// A type that no client knows.
    case wave = "sandbox.wave"
  }

  let kind: Kind
  /// A number that ascends with time.
  let serial: UInt64
  let createdAt: Timestamp
  /// The account that caused the event.
  let actor: Author
  /// The post that the event is about; `nil` if it is about an account.
  var post: SandboxPost?
}
