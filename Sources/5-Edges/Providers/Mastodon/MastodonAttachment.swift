internal import JSON
internal import Timeline

/// A MediaAttachment, or as much of it as could be read.
struct MastodonAttachment {
  private var kind: String?
  private var address: String?
  private var remoteAddress: String?
  private var preview: String?
  private var description: String?

  /// Consumes any value, but reads members only from an object.
  init(_ cursor: inout JSONCursor) throws {
    try cursor.lenientMembers { cursor, name in
      switch name {
      case "type": kind = try cursor.lenientString() ?? kind
      case "url": address = try cursor.lenientString() ?? address
      case "remote_url": remoteAddress = try cursor.lenientString() ?? remoteAddress
      case "preview_url": preview = try cursor.lenientString() ?? preview
      case "description": description = try cursor.lenientString() ?? description
      default: try cursor.skip()
      }
    }
  }

  /// The media, if it has an address. If a server has not fetched a picture itself, this is the picture's original address.
  var media: Media? {
    guard let url = [address, remoteAddress, preview].lazy.compactMap({ WebAddress.checked($0) }).first else {
      return nil
    }
    return Media(kind: mediaKind, url: url, alternativeText: description.flatMap { $0.isEmpty ? nil : $0 })
  }

  private var mediaKind: Media.Kind {
    switch kind {
    case "image": .photo
    case "video": .video
    case "gifv": .animation
    case "audio": .audio
    default: .other
    }
  }
}
