package import CivilTime

/// Determines the order in which an account's posts are sent.
///
/// Posts are sent in the order in which they were written. A post that waits for the time chosen by its author, or whose outcome is
/// unknown, delays only the replies to it.
package enum OutboxPlan {
  package enum Action: Sendable, Hashable {
    /// - Parameter replyTo: the id of the post that this one replies to.
    case send(PostIntent, replyTo: String?)
    case lookUp(PostIntent)
    case refuse(PostIntent, String)
    case wait(until: Timestamp)
    case idle
  }

  /// Returns the next action for an account's outbox.
  /// - Parameter intents: all intents of the account, in any order.
  package static func next(of intents: [PostIntent], at now: Timestamp) -> Action {
    var wakeUp: Timestamp?
    search: for intent in intents.sorted(by: PostIntent.isInOrder) {
      switch intent.step(at: now) {
      case .nothing: continue
      case .lookUp: return .lookUp(intent)
      case .expire:
        return .refuse(intent, "it waited for more than 24 hours; homeline outbox --retry \(intent.id) sends it now")
      case .wait(let until):
        wakeUp = min(wakeUp ?? until, until)
        if !intent.waitsForItsTime { break search }
      case .send:
        switch target(of: intent, among: intents) {
        case .known(let id): return .send(intent, replyTo: id)
        case .pending: continue
        case .missing: return .refuse(intent, "the post that it replies to was not published")
        }
      }
    }
    return wakeUp.map { .wait(until: $0) } ?? .idle
  }

  private enum Target {
    case known(String?)
    case pending, missing
  }

  private static func target(of intent: PostIntent, among intents: [PostIntent]) -> Target {
    switch intent.draft.replyTo {
    case nil: return .known(nil)
    case .post(let id): return .known(id)
    case .intent(let id):
      switch intents.first(where: { $0.id == id })?.state {
      case .posted(let post, _, _): return .known(post.id)
      case .queued, .uploading, .sending, .unknown: return .pending
      case .refused, nil: return .missing
      }
    }
  }

  /// How long the intent of a published post is kept, so that commands can list it.
  private static let posted = Duration.seconds(86_400)

  /// Returns the intents of published posts that are no longer needed. An intent is still needed if another one replies to it.
  package static func outdated(_ intents: [PostIntent], at now: Timestamp) -> [IntentID] {
    let targets = intents.compactMap { intent -> IntentID? in
      if intent.isPosted { return nil }
      if case .intent(let id) = intent.draft.replyTo { return id } else { return nil }
    }
    return intents.compactMap { intent in
      guard case .posted(_, let at, _) = intent.state, now - at > posted, !targets.contains(intent.id) else {
        return nil
      }
      return intent.id
    }
  }
}

extension PostIntent {
  /// Whether the post is waiting only for the time that the user has set.
  fileprivate var waitsForItsTime: Bool {
    if case .queued(let waiting) = state { waiting.failures == 0 } else { false }
  }
}
