internal import CivilTime
internal import Control
internal import Platform

/// Prints posts in the outbox.
enum OutboxTerminal {
  /// What Ctrl-C does not do while a post is being sent.
  static let interruptionNote: StaticString =
    "homeline: the post may still be sent; to list or discard it: homeline outbox"

  /// Prints the outcome of a post for the waiting user. The URL of a published post goes to standard output, everything else to standard
  /// error.
  static func showOutcome(of post: OutboxEvent) {
    let reason = post.message.map { ": \($0)" } ?? ""
    switch post.state {
    case .posted:
      try? Terminal.answer("\(post.url ?? post.post ?? post.id)\n")
      if let message = post.message { Terminal.say("homeline: \(post.account): posted, but \(message)") }
    case .queued:
      let time = post.postAt.map { " until \(Self.text(of: $0))" } ?? ""
      Terminal.say("homeline: \(post.account): the post waits in the outbox as \(post.id)\(time)\(reason)")
    case .uploading:
      Terminal.say("homeline: \(post.account): the files of \(post.id) are being uploaded\(reason)")
    case .sending:
      Terminal.say(
        "homeline: \(post.account): it is not known yet whether \(post.id) was posted; homeline is finding out\(reason)"
      )
    case .refused: Terminal.say("homeline: \(post.account): \(post.id) was not posted\(reason)")
    case .unknown:
      Terminal.say(
        "homeline: \(post.account): \(post.id) may have been posted\(reason). Look at your timeline, then run homeline outbox "
          + "--discard \(post.id), or --retry to send it again")
    case .discarded: Terminal.say("homeline: \(post.account): \(post.id) was removed from the outbox")
    }
  }

  private static func text(of time: Timestamp) -> String { LocalTimes(at: WallClock.system.now).full(of: time) }

  /// Prints a line of the list: the account, id and state of the post, the beginning of its text, its URL, and the reason for its state.
  static func list(_ post: OutboxEvent) {
    let text = post.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let beginning = text.count > 40 ? text.prefix(39) + "…" : text[...]
    let time = post.state == .queued ? post.postAt.map { " at \(Self.text(of: $0))" } ?? "" : ""
    let more = [post.url ?? post.post, post.message].compactMap { $0 }.joined(separator: ": ")
    try? Terminal.answer(
      "\(post.account) \(post.id) \(post.state.rawValue)\(time) \"\(beginning)\"\(more.isEmpty ? "" : " \(more)")\n")
  }
}
