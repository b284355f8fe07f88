internal import JSON
internal import Timeline

/// The pictures in a post. Weibo lists their small versions.
struct WeiboPictures {
  private var thumbnails: [String] = []
  private var original: String?
  private var middle: String?
  private var small: String?

  /// Reads the value of a member that belongs to a post's pictures.
  /// - Returns: false for any other member, which is not consumed.
  mutating func take(_ name: JSONName, _ cursor: inout JSONCursor) throws -> Bool {
    switch name {
    case "pic_urls": try cursor.lenientElements { cursor in try takeListed(&cursor) }
    case "original_pic": original = try cursor.lenientString() ?? original
    case "bmiddle_pic": middle = try cursor.lenientString() ?? middle
    case "thumbnail_pic": small = try cursor.lenientString() ?? small
    default: return false
    }
    return true
  }

  /// The pictures, each in the largest known size.
  var media: [Media] {
    let single = [original, middle, small].lazy.compactMap { $0 }.first { !$0.isEmpty }
    let addresses = thumbnails.count > 1 ? thumbnails.map(Self.large) : [single ?? thumbnails.first.map(Self.large)]
    return addresses.compactMap { $0 }.map { Media(kind: .photo, url: $0) }
  }

  private mutating func takeListed(_ cursor: inout JSONCursor) throws {
    try cursor.lenientMembers { cursor, name in
      guard name == "thumbnail_pic" else {
        try cursor.skip()
        return
      }
      if let address = try cursor.lenientString(), !address.isEmpty { thumbnails.append(address) }
    }
  }

  /// Returns the large version of a picture, which is in another folder on the picture server. Pictures on other servers are not changed.
  private static func large(_ thumbnail: String) -> String {
    let parts = thumbnail.split(separator: "/", maxSplits: 4, omittingEmptySubsequences: false)
    guard parts.count == 5, parts[1].isEmpty, parts[2].hasSuffix(".sinaimg.cn"), parts[3] == "thumbnail" else {
      return thumbnail
    }
    return "\(parts[0])//\(parts[2])/large/\(parts[4])"
  }
}
