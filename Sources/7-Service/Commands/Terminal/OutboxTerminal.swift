internal import ControlProtocol
internal import Platform
internal import Time

/// Prints posts in the outbox.
enum OutboxTerminal {
  /// What Ctrl-C does not do while a post is being sent.
  static let interruptionNote: StaticString =
    "homeline: the post may still be sent; to list or discard it: homeline outbox"

  /// Prints the outcome of a post for the waiting user. The URL of a published post goes to standard output, everything else to standard
  /// error.
  static func showOutcome(of post: OutboxEvent) {
    let reason = post.message.map { ": \($0)" } ?? ""
    let goesOn = ". The service, or the next command that uses the account, continues automatically"
    switch post.state {
    case .posted:
      try? Terminal.answer("\(post.url ?? post.post ?? post.id)\n")
      if let message = post.message { Terminal.say("homeline: \(post.account): posted, but \(message)") }
    case .queued:
      let time = (waitEnd(of: post) ?? post.postAt).map { " until \(Self.text(of: $0))" } ?? ""
      let more = post.message == nil || post.waitsUntil == nil ? "" : goesOn
      Terminal.say("homeline: \(post.account): the post waits in the outbox as \(post.id)\(time)\(reason)\(more)")
    case .uploading:
      let time = waitEnd(of: post).map { " until \(Self.text(of: $0))" } ?? ""
      Terminal.say(
        "homeline: \(post.account): the post's files wait in the outbox as \(post.id)\(time)\(reason)\(goesOn)")
    case .sending:
      let time = waitEnd(of: post).map { "; the next check is at \(Self.text(of: $0))" } ?? ""
      Terminal.say(
        "homeline: \(post.account): not yet known whether \(post.id) was posted\(time)\(reason)\(goesOn)")
    case .refused: Terminal.say("homeline: \(post.account): \(post.id) was not posted\(reason)")
    case .unknown:
      Terminal.say(
        "homeline: \(post.account): \(post.id) may have been posted\(reason). Look at your timeline, then run homeline outbox "
          + "--discard \(post.id), or --retry to send it again")
    case .discarded: Terminal.say("homeline: \(post.account): \(post.id) was removed from the outbox")
    }
  }

  /// Tells the waiting user why the post cannot be sent now.
  static func showWait(_ wait: PostWaitEvent) {
    let time = wait.until.map { "; waiting until \(Self.text(of: $0)). Ctrl-C leaves the post in the outbox" } ?? ""
    Terminal.say("homeline: \(wait.account): \(wait.reason)\(time)")
  }

  private static func text(of time: Timestamp) -> String { LocalTimes(at: WallClock.system.now).exact(of: time) }

  /// Returns the time of the next attempt, if the post is waiting for it.
  private static func waitEnd(of post: OutboxEvent) -> Timestamp? {
    post.waitsUntil.flatMap { $0 > WallClock.system.now ? $0 : nil }
  }

  /// Prints a line of the list: the account, id and state of the post, the beginning of its text, its URL, and the reason for its state.
  static func list(_ post: OutboxEvent) {
    let text = post.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let beginning = text.count > 40 ? text.prefix(39) + "…" : text[...]
    let time =
      post.state == .queued ? post.postAt.map { " at \(LocalTimes(at: WallClock.system.now).full(of: $0))" } ?? "" : ""
    let wait = waitEnd(of: post).map { "until \(Self.text(of: $0))" }
    let more = [post.url ?? post.post ?? wait, post.message].compactMap { $0 }.joined(separator: ": ")
    try? Terminal.answer(
      "\(post.account) \(post.id) \(post.state.rawValue)\(time) \"\(beginning)\"\(more.isEmpty ? "" : " \(more)")\n")
  }
}
