internal import JSON

/// A text with the links and media that belong to it: a post has it in itself, or a longer one in `extended_tweet`.
struct TwitterText {
  /// A short link in the text and where it leads.
  struct Link {
    let short: String
    let expanded: String

    init(short: String, expanded: String) {
      self.short = short
      self.expanded = expanded
    }

    /// Takes any value; `nil` for what is no link with both its ends.
    init?(_ cursor: inout JSONCursor) throws {
      var short: String?
      var expanded: String?
      try cursor.lenientMembers { cursor, name in
        switch name {
        case "url": short = try cursor.lenientString() ?? short
        case "expanded_url": expanded = try cursor.lenientString() ?? expanded
        default: try cursor.skip()
        }
      }
      guard let short, let expanded, !short.isEmpty, !expanded.isEmpty else { return nil }
      self.init(short: short, expanded: expanded)
    }
  }

  /// How many links of a text are expanded: far more than fit in one, and few enough for a text that is all links to be read at once.
  static let linkLimit = 200

  /// `full_text`: the whole text, escaped.
  private(set) var full: String?
  /// `text`: the whole text, or its beginning when the post is `truncated`.
  private(set) var compatible: String?
  private(set) var links: [Link] = []
  /// All media: those of `extended_entities`, else those of `entities`, which lists the first only.
  private(set) var media: [TwitterMedia] = []
  /// Where the media of `entities` begin, which are read when it is known that there are no others.
  private var plainMedia: [Int] = []

  /// Takes the value of a member that belongs to texts.
  /// - Returns: false when it is another one, and nothing was taken.
  mutating func take(_ name: JSONName, _ cursor: inout JSONCursor) throws -> Bool {
    switch name {
    case "full_text": full = try cursor.lenientString() ?? full
    case "text": compatible = try cursor.lenientString() ?? compatible
    case "entities": try readEntities(&cursor, isExtended: false)
    case "extended_entities": try readEntities(&cursor, isExtended: true)
    default: return false
    }
    return true
  }

  /// Reads what was left for later. To be called behind the last member.
  mutating func finish(_ cursor: inout JSONCursor) throws {
    guard media.isEmpty else { return }
    for start in plainMedia { try cursor.again(from: start) { cursor in try readMedia(&cursor) } }
    plainMedia = []
  }

  private mutating func readMedia(_ cursor: inout JSONCursor) throws {
    try cursor.lenientElements { cursor in media.append(try TwitterMedia(&cursor)) }
  }

  private mutating func readEntities(_ cursor: inout JSONCursor, isExtended: Bool) throws {
    try cursor.lenientMembers { cursor, name in
      switch name {
      case "urls":
        try cursor.lenientElements { cursor in
          if let link = try Link(&cursor), links.count < Self.linkLimit { links.append(link) }
        }
      case "media" where isExtended: try readMedia(&cursor)
      case "media": plainMedia.append(try cursor.skip().lowerBound)
      default: try cursor.skip()
      }
    }
  }
}
