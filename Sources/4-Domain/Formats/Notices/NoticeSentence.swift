internal import Timeline

/// What has happened, as in `Ada and 3 others liked`.
struct NoticeSentence: Sendable, Hashable {
  enum Part: Sendable, Hashable {
    case text(String)
    case user(User)
    /// The server's name of a kind that homeline does not know.
    case kind(String)
  }

  let parts: [Part]

  /// Creates the sentence for a post that is in its timeline because of an event; `nil` for any other post. A mention says itself that it
  /// mentions the user.
  init?(_ post: Post) {
    guard let notice = post.notice, post.isEventOnly || notice.knownKind != .mention else { return nil }
    let object = post.isEventOnly ? " a post" : ""
    let actors = Self.named(notice.actors)
    parts =
      switch notice.knownKind {
      case .mention: actors + [.text(" mentioned you")]
      case .status: actors + [.text(" posted")]
      case .reblog: actors + [.text(" reposted\(object)")]
      case .favourite: actors + [.text(" liked\(object)")]
      case .follow: actors + [.text(" followed you")]
      case .followRequest: actors + [.text(" asked to follow you")]
      case .poll: [.text("A poll by ")] + actors + [.text(" has ended")]
      case .update: actors + [.text(" edited \(post.isEventOnly ? "a" : "this") post")]
      case .quote: actors + [.text(" quoted you")]
      case .quotedUpdate: actors + [.text(" edited a post that you quoted")]
      case .severedRelationships: [.text("You have lost followers or users you followed")]
      case .moderationWarning: [.text("The moderators have sent you a warning")]
      case .signUp: actors + [.text(" signed up")]
      case .report: actors + [.text(" sent a report")]
      case nil: (notice.actors.isEmpty ? [] : actors + [.text(": ")]) + [.kind(notice.kind)]
      }
  }

  /// Returns the names of one or two users, or of the first one and the number of the others.
  private static func named(_ users: [User]) -> [Part] {
    switch users.count {
    case 0: [.text("Somebody")]
    case 1: [.user(users[0])]
    case 2: [.user(users[0]), .text(" and "), .user(users[1])]
    default: [.user(users[0]), .text(" and \(users.count - 1) others")]
    }
  }

  /// Returns the sentence on one line of plain text.
  /// - Parameter name: returns a user's name.
  func text(_ name: (User) -> String) -> String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .user(let user): name(user)
      case .kind(let kind): ShortLine.of(kind, characters: 60)
      }
    }.joined()
  }
}
