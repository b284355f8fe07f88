internal import JSON
internal import Timeline

/// A picture or video as described in Twitter's entities (or GNU social's attachments).
struct TwitterMedia {
  /// The short link in the text that leads to the medium.
  private(set) var link: String?
  /// The target of the short link.
  private(set) var expandedLink: UndecodedString?
  private var kind: String?
  private var secureURL: String?
  private var plainURL: String?
  private var alternativeText: String?
  private var bestFilm: (url: String, bitrate: Int)?
  private var otherFilm: String?

  private enum Member: String, CaseIterable {
    case link = "url"
    case expandedLink = "expanded_url"
    case type
    case secureURL = "media_url_https"
    case plainURL = "media_url"
    case alternativeText = "ext_alt_text"
    case films = "video_info"
  }

  private static let names = JSONNames<Member>()

  /// Consumes a media entity, but reads members only from an object.
  init(_ cursor: inout JSONCursor) throws {
    var spareURL = SpareMember()
    try cursor.lenientMembers(Self.names) { cursor, member in
      switch member {
      case .link: link = try cursor.lenientString() ?? link
      case .expandedLink: expandedLink = try UndecodedString(&cursor) ?? expandedLink
      case .type: kind = try cursor.lenientString() ?? kind
      case .secureURL: secureURL = try cursor.lenientString() ?? secureURL
      case .plainURL: try spareURL.skip(&cursor) { try $0.lenientString() }
      case .alternativeText: alternativeText = try cursor.lenientString() ?? alternativeText
      case .films: try readFilms(&cursor)
      }
    }
    if secureURL == nil { plainURL = try spareURL.value(cursor) { try $0.lenientString() } }
  }

  /// The medium, if it has an address. For a video, this is the address of its best MP4, otherwise of another variant or its still picture.
  var media: Media? {
    let picture = secureURL ?? plainURL
    let isFilm = kind == "video" || kind == "animated_gif"
    guard let url = isFilm ? bestFilm?.url ?? otherFilm ?? picture : picture else { return nil }
    return Media(kind: kind.flatMap { Media.Kind(rawValue: $0) } ?? .other, url: url, alternativeText: alternativeText)
  }

  private mutating func readFilms(_ cursor: inout JSONCursor) throws {
    try cursor.lenientMembers { cursor, name in
      guard name == "variants" else {
        try cursor.skip()
        return
      }
      try cursor.lenientElements { cursor in try readFilm(&cursor) }
    }
  }

  private mutating func readFilm(_ cursor: inout JSONCursor) throws {
    var url: String?
    var type: String?
    var bitrate: Int?
    try cursor.lenientMembers { cursor, name in
      switch name {
      case "url": url = try cursor.lenientString()
      case "content_type": type = try cursor.lenientString()
      case "bitrate": bitrate = try cursor.lenientCount()
      default: try cursor.skip()
      }
    }
    guard let url else { return }
    if type != "video/mp4" {
      otherFilm = otherFilm ?? url
    } else if bestFilm == nil || bitrate ?? 0 > bestFilm?.bitrate ?? 0 {
      bestFilm = (url, bitrate ?? 0)
    }
  }

  /// Reads a GNU social attachment, `{"url":…,"mimetype":"image/png"}`; `nil` for attachments that are not media, such as linked pages.
  static func attachment(_ cursor: inout JSONCursor) throws -> Media? {
    var url: String?
    var type: String?
    try cursor.lenientMembers { cursor, name in
      switch name {
      case "url": url = try cursor.lenientString()
      case "mimetype": type = try cursor.lenientString()
      default: try cursor.skip()
      }
    }
    guard let url, let kind = type?.split(separator: "/").first else { return nil }
    switch kind {
    case "image": return Media(kind: .photo, url: url)
    case "video": return Media(kind: .video, url: url)
    case "audio": return Media(kind: .audio, url: url)
    default: return nil
    }
  }
}
