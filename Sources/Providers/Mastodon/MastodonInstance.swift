internal import JSON
internal import PostText
internal import Posting

/// A server's description of itself (`/api/v2/instance`, `/api/v1/instance`), or as much of it as concerns posts.
struct MastodonInstance {
  private var version = ""
  private var source = ""
  /// The limits in `configuration.statuses`; `nil` for a limit that the server does not report.
  private var characters: Int?
  private var addressLength: UInt16?
  private var media = MediaRules()

  init(_ cursor: inout JSONCursor) throws {
    try cursor.lenientMembers { cursor, name in
      switch name {
      case "version": version = try cursor.lenientString() ?? version
      case "source_url": source = try cursor.lenientString() ?? source
      case "max_toot_chars": characters = try cursor.limit() ?? characters  // Pleroma, and forks of Mastodon.
      case "configuration": try readConfiguration(&cursor)
      default: try cursor.skip()
      }
    }
  }

  private mutating func readConfiguration(_ cursor: inout JSONCursor) throws {
    try cursor.lenientMembers { cursor, name in
      switch name {
      case "statuses":
        try cursor.lenientMembers { cursor, name in
          switch name {
          case "max_characters": characters = try cursor.limit() ?? characters
          case "characters_reserved_per_url": addressLength = try cursor.lenientInteger(in: LengthRule.addressLengths)
          case "max_media_attachments": media.maximumCount = try cursor.limit()
          default: try cursor.skip()
          }
        }
      case "media_attachments":
        try cursor.lenientMembers { cursor, name in
          switch name {
          case "supported_mime_types":
            var types: Set<String> = []
            try cursor.lenientElements { cursor in if let type = try cursor.lenientString() { types.insert(type) } }
            media.types = types.isEmpty ? nil : types
          case "image_size_limit": media.imageSize = try cursor.limit()
          case "video_size_limit": media.videoSize = try cursor.limit()
          case "description_limit": media.descriptionLength = try cursor.limit()
          default: try cursor.skip()
          }
        }
      default: try cursor.skip()
      }
    }
  }

  /// An idempotency key is trusted only on servers that are known to honour it. A server that ignores the key could publish a post twice.
  var rules: PostingRules {
    let text = version.lowercased()
    let hour = Duration.seconds(3600)
    let all = Set(PostVisibility.allCases)
    if text.contains("snac") {
      // snac shows unlisted posts to everyone, and direct posts to all followers.
      return PostingRules(
        keyLifetime: nil, visibilities: [.everyone, .followers], hasWarnings: true, software: "snac",
        length: .codePoints(limit: characters), media: media, requiresText: false, ignoresUnknownReplyTargets: true)
    }
    if text.contains("pleroma") || text.contains("akkoma") {
      return PostingRules(
        keyLifetime: hour, visibilities: all, hasWarnings: true,
        software: text.contains("akkoma") ? "Akkoma" : "Pleroma",
        length: characters.map { .graphemes(limit: $0) }, media: media, requiresText: false)
    }
    let isGoToSocial = source.lowercased().contains("gotosocial") || major == 0
    if isGoToSocial || major < 3 || text.contains("(") {
      return PostingRules(
        keyLifetime: nil, visibilities: all, hasWarnings: true, software: "this server (version \(version))",
        length: isGoToSocial ? .codePoints(limit: characters) : mastodonLength, media: media, requiresText: false)
    }
    return PostingRules(
      keyLifetime: hour, visibilities: all, hasWarnings: true, software: "Mastodon", length: mastodonLength,
      media: media, requiresText: false)
  }

  private var mastodonLength: LengthRule? {
    characters.map { limit in
      addressLength.map { .mastodon(limit: limit, addressLength: $0) } ?? .mastodon(limit: limit)
    }
  }

  /// The first number of the version. Mastodon has been at 3 or more since 2019, GoToSocial is at 0.
  private var major: Int { Int(version.prefix { ("0"..."9").contains($0) }.prefix(9)) ?? 0 }
}

extension JSONCursor {
  /// Consumes any value; returns a limit, which some servers write as a string. A number that limits nothing in practice, 0 and a negative
  /// number are treated as no limit.
  mutating func limit() throws -> Int? { try lenientInteger(in: 1...(1 << 43)) }
}
