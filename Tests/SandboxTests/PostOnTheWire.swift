import JSON

/// What the tests look at in a post's JSON.
struct PostOnTheWire: Equatable {
  /// An entity: what it stands for, and its place in code points.
  struct Mark: Equatable {
    var kind: String
    var word = ""
    var start = 0
    var end = 0
  }

  var id: UInt64 = 0
  var idText = ""
  var createdAt = ""
  var text: String?
  var fullText: String?
  var isTruncated = false
  var displayRange: [Int64]?
  var marks: [Mark] = []
  var mediaTypes: [String] = []
  var alternativeTexts: [String] = []
  var expandedAddresses: [String] = []
  var author = ""
  var isReply = false
  var language = ""
  /// `retweeted_status`; at most one.
  var reposted: [PostOnTheWire] = []
  /// `quoted_status`; at most one.
  var quoted: [PostOnTheWire] = []

  static func page(_ bytes: [UInt8]) throws -> [PostOnTheWire] {
    var cursor = JSONCursor(bytes)
    let posts = try cursor.list { try PostOnTheWire(&$0) }
    try cursor.end()
    return posts
  }

  private init(_ cursor: inout JSONCursor) throws {
    try cursor.members { cursor, name in
      switch name {
      case "id": id = UInt64(try cursor.numberText()) ?? 0
      case "id_str": idText = try cursor.string()
      case "created_at": createdAt = try cursor.string()
      case "text": text = try cursor.string()
      case "full_text": fullText = try cursor.string()
      case "truncated": isTruncated = try cursor.boolean()
      case "display_text_range": displayRange = try cursor.list { try $0.integer() }
      case "entities": try readMarks(&cursor)
      case "extended_entities":
        try cursor.members { cursor, _ in
          try cursor.elements { cursor in try readMedia(&cursor) }
        }
      case "user":
        try cursor.members { cursor, name in
          if name == "screen_name" { author = try cursor.string() } else { try cursor.skip() }
        }
      case "in_reply_to_status_id_str": isReply = try cursor.stringOrNull() != nil
      case "lang": language = try cursor.string()
      case "retweeted_status": reposted = [try PostOnTheWire(&cursor)]
      case "quoted_status": quoted = [try PostOnTheWire(&cursor)]
      default: try cursor.skip()
      }
    }
  }

  private mutating func readMarks(_ cursor: inout JSONCursor) throws {
    var found: [Mark] = []
    var addresses: [String] = []
    try cursor.members { cursor, kind in
      try cursor.elements { cursor in
        var mark = Mark(kind: kind.text)
        try cursor.members { cursor, name in
          switch (kind.text, name.text) {
          case (_, "indices"):
            let places = try cursor.list { try $0.integer() }
            (mark.start, mark.end) = (Int(places[0]), Int(places[1]))
          case ("hashtags", "text"): mark.word = "#" + (try cursor.string())
          case ("user_mentions", "screen_name"): mark.word = "@" + (try cursor.string())
          case ("urls", "url"), ("media", "url"): mark.word = try cursor.string()
          case ("urls", "expanded_url"): addresses.append(try cursor.string())
          default: try cursor.skip()
          }
        }
        found.append(mark)
      }
    }
    marks = found
    expandedAddresses = addresses
  }

  private mutating func readMedia(_ cursor: inout JSONCursor) throws {
    var type = ""
    var alternative: String?
    try cursor.members { cursor, name in
      switch name {
      case "type": type = try cursor.string()
      case "ext_alt_text": alternative = try cursor.stringOrNull()
      default: try cursor.skip()
      }
    }
    mediaTypes.append(type)
    if let alternative { alternativeTexts.append(alternative) }
  }
}
