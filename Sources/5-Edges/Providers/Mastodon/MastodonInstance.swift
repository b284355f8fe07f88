internal import JSON
internal import Posting
internal import Timeline

/// A server's description of itself (`/api/v2/instance`, `/api/v1/instance`), or the parts of it that concern posts and timelines.
struct MastodonInstance {
  private var version = ""
  private var source = ""
  private var reportsAPIVersion = false
  /// The limits in `configuration.statuses`; `nil` for a limit that the server does not report.
  private var characters: Int?
  private var addressLength: UInt16?
  private var media = MediaRules()
  /// The kinds of timelines that the administrators have restricted.
  private(set) var feedAccess: [TimelineName.Kind: FeedAccess] = [:]

  init(_ cursor: inout JSONCursor) throws {
    try cursor.lenientMembers { cursor, name in
      switch name {
      case "version": version = try cursor.lenientString() ?? version
      case "source_url": source = try cursor.lenientString() ?? source
      case "api_versions":
        try cursor.lenientMembers { cursor, name in
          if name == "mastodon" { reportsAPIVersion = true }
          try cursor.skip()
        }
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
      case "timelines_access":
        try cursor.lenientMembers { cursor, name in
          if name == "hashtag_feeds" { feedAccess[.tag] = try Self.access(&cursor) } else { try cursor.skip() }
        }
      default: try cursor.skip()
      }
    }
  }

  /// Reads who may see a feed's posts: those of the server's own users, and those of others.
  private static func access(_ cursor: inout JSONCursor) throws -> FeedAccess? {
    var (isLocalOff, isRemoteOff) = (false, false)
    try cursor.lenientMembers { cursor, name in
      switch name {
      case "local": isLocalOff = try cursor.lenientString() == disabled
      case "remote": isRemoteOff = try cursor.lenientString() == disabled
      default: try cursor.skip()
      }
    }
    return FeedAccess(isLocalOff: isLocalOff, isRemoteOff: isRemoteOff)
  }

  /// The access to a feed that is switched off. The user may see all others.
  private static let disabled = "disabled"

  /// Returns the rules of the server's software (``MastodonDialect``). Unknown software is not trusted with anything that it might ignore
  /// or replace.
  /// - Parameter server: the server's name, for messages.
  func rules(of server: String) -> PostingRules {
    guard let dialect = MastodonDialect.of(software) else {
      return PostingRules(
        keyLifetime: nil, visibilities: [.everyone], hasWarnings: false, isKnown: false,
        server: server, length: software.numbers.major == 0 ? .codePoints(limit: characters) : mastodonLength,
        media: media, requiresText: false)
    }
    let length: LengthRule? =
      switch dialect.length {
      case .codePoints: .codePoints(limit: characters)
      case .graphemes: characters.map { .graphemes(limit: $0) }
      case .mastodon: mastodonLength
      }
    return PostingRules(
      keyLifetime: dialect.keyLifetime, visibilities: dialect.visibilities, hasWarnings: dialect.keepsWarnings,
      hasLanguages: dialect.keepsLanguages, server: server, length: length, media: media, requiresText: false,
      ignoresUnknownReplyTargets: dialect.ignoresUnknownReplyTargets)
  }

  private var software: MastodonSoftware {
    MastodonSoftware(
      version: version.lowercased(), source: source.lowercased(), reportsAPIVersion: reportsAPIVersion)
  }

  private var mastodonLength: LengthRule? {
    characters.map { limit in
      addressLength.map { .mastodon(limit: limit, addressLength: $0) } ?? .mastodon(limit: limit)
    }
  }
}

extension JSONCursor {
  /// Consumes any value; returns a limit, which some servers write as a string. Numbers that limit nothing in practice, 0 and negative
  /// numbers are treated as no limit.
  mutating func limit() throws -> Int? { try lenientInteger(in: 1...(1 << 43)) }
}
