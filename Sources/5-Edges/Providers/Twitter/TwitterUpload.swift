internal import JSON
internal import Posting

/// An uploaded file, as X describes it in either version of its API. The v2 API puts it into `data`.
struct TwitterUpload {
  private(set) var id: String?
  private(set) var lifetime: Duration?
  /// `pending`, `in_progress`, `succeeded` or `failed`; `nil` for a file that needs no processing.
  private var state: String?
  /// The time to wait before the next check, in seconds.
  private var checkAfter: Int?
  private var error: String?

  /// The longest plausible lifetime of a file: 34 years in seconds.
  private static let longestLife: Int64 = 1 << 30

  init(_ cursor: inout JSONCursor) throws {
    var number: String?
    try cursor.lenientMembers { cursor, name in
      switch name {
      case "media_id_string", "id": id = try cursor.lenientID() ?? id
      case "media_id": number = try cursor.lenientID()
      case "expires_after_secs": lifetime = try cursor.lenientInteger(in: 0...Self.longestLife).map { .seconds($0) }
      case "processing_info": try readProcessing(&cursor)
      default: try cursor.skip()
      }
    }
    id = id ?? number
  }

  private mutating func readProcessing(_ cursor: inout JSONCursor) throws {
    try cursor.lenientMembers { cursor, name in
      switch name {
      case "state": state = try cursor.lenientString()
      case "check_after_secs": checkAfter = try cursor.lenientInteger(in: 0...Int.max).map { min($0, 3600) }
      case "error":
        try cursor.lenientMembers { cursor, name in
          if name == "message" { error = try cursor.lenientString() } else { try cursor.skip() }
        }
      default: try cursor.skip()
      }
    }
  }

  /// Returns the result for a file that the server has received completely.
  func result(for media: PostMedia, id: String) -> MediaResult {
    switch state {
    case nil, "succeeded":
      .reached(media.description == nil ? .ready(id: id) : .undescribed(id: id), lifetime: lifetime)
    case "failed": .refused(error ?? "The server could not process the file.")
    default: .reached(.processing(id: id), after: .seconds(max(1, checkAfter ?? 2)), lifetime: lifetime)
    }
  }
}

extension PostMedia {
  /// The `media_category` of an upload.
  var twitterCategory: String {
    type == "image/gif" ? "tweet_gif" : type.hasPrefix("image/") ? "tweet_image" : "tweet_video"
  }

  /// Returns the part that follows the bytes already received by the server.
  /// - Returns: its number, and its bytes in the file.
  func part(after sent: Int, _ rules: MediaRules) -> (index: Int, range: Range<Int>) {
    let size = rules.partSize ?? self.size
    return (sent / size, sent..<min(sent + size, self.size))
  }
}

extension MediaRules {
  /// The size of the parts that X allows: at most 5 MB each.
  static let twitterPartSize = 5_000_000
  static let twitterTypes: Set<String> = [
    "image/jpeg", "image/png", "image/gif", "image/webp", "video/mp4", "video/quicktime",
  ]
}
