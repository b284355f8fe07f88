internal import ControlProtocol
internal import HTTP

/// What became of a post or of a change of the outbox, as a code in the outbox page's address (`done=CODE`). The page says it in a sentence,
/// so that no other page can put text there.
enum OutboxStatus: String, Sendable, Hashable, CaseIterable {
  case posted, changed, refused, waiting, unknown, discarded
  /// A form was sent again.
  case `repeat`
  /// The page did not wait for the outcome.
  case sending

  init(_ post: OutboxEvent) {
    self =
      switch post.state {
      case .posted: post.message == nil ? .posted : .changed
      case .queued, .uploading, .sending: .waiting
      case .refused: .refused
      case .unknown: .unknown
      case .discarded: .discarded
      }
  }

  var sentence: Markup {
    switch self {
    case .posted: "The post was published."
    case .changed: "The post was published, but not as it was written."
    case .refused: "The post was not published."
    case .waiting: "The post is in the outbox. homeline sends it by itself."
    case .unknown: "The post may have been published."
    case .discarded: "The post was removed from the outbox."
    case .repeat:
      "This form was sent before. It made one post; if it is not below, it was published or discarded more than a day ago."
    case .sending: "homeline is still sending the post. Load this page again in a moment."
    }
  }

  /// Whether the user has to look at it.
  var isBad: Bool {
    switch self {
    case .changed, .refused, .unknown: true
    case .posted, .waiting, .discarded, .repeat, .sending: false
    }
  }
}

extension WebAddress {
  /// The outbox, at one of its posts.
  /// - Parameter id: the id of a post in the outbox.
  static func outbox(_ status: OutboxStatus, at id: String) -> WebAddress {
    WebAddress("outbox").with("done", status.rawValue).at(id)
  }
}
