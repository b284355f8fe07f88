/// The post being replied to.
package enum ReplyTarget: Sendable, Hashable {
  /// A post on the server, by its id.
  case post(String)
  /// A post that is still in the outbox.
  case intent(IntentID)
}
