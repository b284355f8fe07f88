internal import Platform
internal import Posting
internal import Storage
internal import Timeline

extension Account {
  /// Logs the state of a post after an attempt.
  /// - Parameter isAwaited: whether a command shows the state to the user, so that the log need not draw attention to it.
  func logState(of intent: PostIntent, isAwaited: Bool) {
    switch intent.state {
    case .posted(let post, _, let differences):
      log(.info, "\(intent.id) was posted as \(post.id)")
      for difference in differences { log(isAwaited ? .info : .warning, "\(intent.id): \(difference)") }
    case .refused(let reason, _): log(isAwaited ? .info : .warning, "\(intent.id) was not posted: \(reason)")
    case .unknown(let reason, _): log(isAwaited ? .info : .error, "\(intent.id) may have been posted: \(reason)")
    case .queued(let waiting), .uploading(let waiting):
      log(.info, "\(intent.id) waits: \(waiting.reason ?? "")")
    case .sending(let attempt):
      log(.info, "\(intent.id): the outcome is not known yet: \(attempt.reason ?? "")")
    }
  }
}

extension PostIntent {
  func isBy(_ identity: AccountIdentity) -> Bool {
    author == Author(server: identity.server, userID: identity.user.id)
  }
}
