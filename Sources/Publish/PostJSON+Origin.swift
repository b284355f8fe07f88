internal import JSON

/// What a post says of itself where posts of several accounts stand in one list.
extension PostJSON {
  package struct Origin: Sendable, Hashable {
    /// The account that it came through; `nil` where it names none.
    package var account: String?
    /// `nil` where it does not say: then the head of its file does, for all together.
    package var isUnread: Bool?

    package init(account: String? = nil, isUnread: Bool? = nil) {
      self.account = account
      self.isUnread = isUnread
    }
  }

  /// The post with its account behind its own members.
  package static func bytes(_ json: [UInt8], account: String) -> [UInt8] {
    JSONWriter.extended(json) { $0.member("account", account) }
  }

  package static func origin(of json: [UInt8]) -> Origin {
    var origin = Origin()
    var cursor = JSONCursor(json)
    // A member of another kind says nothing.
    try? cursor.members { cursor, name in
      switch (name, try cursor.peek()) {
      case ("account", .string): origin.account = try cursor.string()
      case ("unread", .boolean): origin.isUnread = try cursor.boolean()
      default: try cursor.skip()
      }
    }
    return origin
  }
}
