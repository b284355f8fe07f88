internal import JSON
internal import Time
internal import Timeline

/// A Notification, or as much of it as could be read.
struct MastodonNotification {
  private(set) var id: String?
  private var type: String?
  private var createdAt: Timestamp?
  private var account: MastodonAccount?
  private var status: MastodonStatus?
  private var groupKey: String?
  /// What the server says about the event, most important first.
  private var texts: [String] = []

  /// Consumes any value, but reads members only from an object. The last usable value of a duplicate member is used.
  init(_ cursor: inout JSONCursor) throws {
    try cursor.lenientMembers { cursor, name in
      switch name {
      case "id": id = try cursor.lenientPostID() ?? id
      case "type": type = try cursor.lenientString().flatMap { $0.isEmpty ? nil : $0 } ?? type
      case "created_at": createdAt = try cursor.lenientString().flatMap(MastodonStatus.time) ?? createdAt
      case "account" where try cursor.peek() == .object: account = try MastodonAccount(&cursor)
      case "status" where try cursor.peek() == .object: status = try MastodonStatus(&cursor)
      case "group_key": groupKey = try cursor.lenientString() ?? groupKey
      // Mastodon 4.6 describes kinds that are not in `supported_types`.
      case "fallback": try readTexts(["title", "summary"], &cursor)
      // The server whose block has cut connections.
      case "event": try readTexts(["target_name"], &cursor)
      // The reaction of Pleroma's users to a post.
      case "emoji": if let emoji = try cursor.lenientString() { texts.append(emoji) }
      // What the moderators have written.
      case "moderation_warning": try readTexts(["text"], &cursor)
      default: try cursor.skip()
      }
    }
  }

  private mutating func readTexts(_ wanted: [String], _ cursor: inout JSONCursor) throws {
    var found: [String: String] = [:]
    try cursor.lenientMembers { cursor, name in
      guard let name = wanted.first(where: { name.text == $0 }) else {
        try cursor.skip()
        return
      }
      found[name] = try cursor.lenientString() ?? found[name]
    }
    texts += wanted.compactMap { found[$0] }
  }

  private func notice(_ id: String, _ type: String, at time: Timestamp) -> Notice {
    // Mastodon names every notification that it groups with no other one like this.
    let group = groupKey.flatMap { $0.isEmpty || $0.hasPrefix("ungrouped-") ? nil : $0 }
    let text = texts.map { PlainHTML.text($0) }.filter { !$0.isEmpty }.joined(separator: "\n")
    return Notice(
      id: PostID(id), kind: type, actors: account.map { [$0.user] } ?? [], group: group,
      at: Timestamp(seconds: time.seconds), text: text.isEmpty ? nil : text)
  }
}

extension MastodonNotification: MastodonItem {
  static let plural = "notifications"

  var mark: PostPosition? { MastodonID.mark(id, at: createdAt) }

  /// Returns whether the timeline contains the event. Some servers send all types when one is requested. An event is worth showing even if
  /// its post is gone.
  func isShown(in kind: TimelineName.Kind) -> Bool {
    kind == .notifications || type == nil || type == Notice.Kind.mention.rawValue
  }

  /// The event with its post; without one if there is none, or if the post cannot be read.
  func entry(filteredIn scope: FilterScope?, for userID: String?) -> Page.Entry? {
    guard let id, let type, let createdAt else { return nil }
    let notice = notice(id, type, at: createdAt)
    let key = MastodonID.key(of: id, at: createdAt)
    guard let status, !status.isHollow, let entry = status.entry(filteredIn: scope, for: userID) else {
      return Page.Entry(post: Post(event: notice), key: key)
    }
    return entry.noticed(notice, at: key)
  }
}
