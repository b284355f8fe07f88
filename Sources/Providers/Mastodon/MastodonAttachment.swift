internal import JSON
internal import Timeline

/// A MediaAttachment as far as it could be read.
struct MastodonAttachment {
  private var kind: String?
  private var address: String?
  private var remoteAddress: String?
  private var preview: String?
  private var description: String?

  /// Takes any value; what is no object has no members.
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

  /// The media, when it has an address. A server that has not fetched a picture itself names the one it comes from.
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
