package import Time

/// A post that homeline has yet to send, or whose outcome it has yet to determine, in the form shown to users.
package struct WaitingPost: Sendable, Hashable {
  package let intent: PostIntent
  /// The time of the next attempt, or the author's chosen time; `nil` if the post is being sent, or waits for a login or another post's
  /// outcome.
  package let until: Timestamp?
  /// A sentence for the user, without a full stop; `nil` if nothing has prevented the post yet.
  package let reason: String?
  /// Whether the post waits only for the time that its author chose.
  package let isScheduled: Bool

  /// Returns the account's waiting posts, in the order they are sent.
  /// - Parameter intents: all intents of the account, in any order.
  package static func all(of intents: [PostIntent], at now: Timestamp) -> [WaitingPost] {
    intents.filter(\.isPending).sorted(by: PostIntent.isInOrder).map { intent in
      let wait = OutboxPlan.wait(of: intent, among: intents, at: now)
      var (until, reason) = (wait?.until, intent.waitingReason)
      if let wait, wait.blocker.id != intent.id {
        reason = "the earlier post \(wait.blocker.id) waits" + (wait.blocker.waitingReason.map { ": \($0)" } ?? "")
      }
      let isScheduled = wait == nil && intent.draft.postAt.map { $0 > now } == true
      if isScheduled { until = intent.draft.postAt }
      if intent.awaitsLogin { until = nil }
      if let text = reason, text.hasSuffix(".") { reason = String(text.dropLast()) }
      return WaitingPost(intent: intent, until: until, reason: reason, isScheduled: isScheduled)
    }
  }
}
