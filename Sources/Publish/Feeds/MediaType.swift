/// The media type of what lies at an address, as far as the ending of its path tells. Nothing is fetched to find out.
enum MediaType {
  /// - Returns: `nil` where the ending says nothing.
  static func of(_ link: WebLink) -> String? {
    let path = link.text.prefix { $0 != "?" && $0 != "#" }
    // A dot in the host is no ending.
    guard let name = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst(3).last,
      let dot = name.lastIndex(of: ".")
    else { return nil }
    return types[name[dot...].dropFirst().lowercased()]
  }

  /// Endings that providers' media servers use, with the types that IANA has registered for them.
  private static let types = [
    "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png", "gif": "image/gif", "webp": "image/webp",
    "avif": "image/avif", "mp4": "video/mp4", "m4v": "video/mp4", "webm": "video/webm", "mov": "video/quicktime",
    "mp3": "audio/mpeg", "ogg": "audio/ogg", "oga": "audio/ogg", "opus": "audio/ogg", "flac": "audio/flac",
    "m3u8": "application/vnd.apple.mpegurl",
  ]
}
