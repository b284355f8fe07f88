internal import JSON
internal import Timeline

/// A picture or video in `includes.media`, or as much of it as could be read.
struct XMedia {
  private(set) var key: String?
  private var kind: String?
  private var address: String?
  private var preview: String?
  private var alternativeText: String?
  private var bestFilm: (url: String, rate: Int)?
  private var otherFilm: String?

  /// Consumes any value, but reads members only from an object.
  init(_ cursor: inout JSONCursor) throws {
    try cursor.lenientMembers { cursor, name in
      switch name {
      case "media_key": key = try cursor.lenientID() ?? key
      case "type": kind = try cursor.lenientString() ?? kind
      case "url": address = try cursor.lenientString() ?? address
      case "preview_image_url": preview = try cursor.lenientString() ?? preview
      case "alt_text": alternativeText = try cursor.lenientString() ?? alternativeText
      case "variants": try cursor.lenientElements { cursor in try readVariant(&cursor) }
      default: try cursor.skip()
      }
    }
  }

  /// The medium, if it has an address. For a video, this is the address of its best MP4, otherwise of another variant or its still picture.
  var media: Media? {
    let isFilm = kind == "video" || kind == "animated_gif"
    let still = address ?? preview
    guard let url = isFilm ? bestFilm?.url ?? otherFilm ?? still : still else { return nil }
    return Media(kind: kind.flatMap { Media.Kind(rawValue: $0) } ?? .other, url: url, alternativeText: alternativeText)
  }

  private mutating func readVariant(_ cursor: inout JSONCursor) throws {
    var url: String?
    var type: String?
    var rate: Int?
    try cursor.lenientMembers { cursor, name in
      switch name {
      case "url": url = try cursor.lenientString()
      case "content_type": type = try cursor.lenientString()
      case "bit_rate", "bitrate": rate = try cursor.lenientCount()
      default: try cursor.skip()
      }
    }
    guard let url else { return }
    if type != "video/mp4" {
      otherFilm = otherFilm ?? url
    } else if bestFilm == nil || rate ?? 0 > bestFilm?.rate ?? 0 {
      bestFilm = (url, rate ?? 0)
    }
  }
}
