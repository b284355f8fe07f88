internal import Posting

/// A server's rules for the files of a post.
package struct MediaRules: Sendable, Hashable {
  /// The maximum number of files in a post.
  package var maximumCount: Int?
  /// The media types that the server accepts; `nil` if unknown.
  package var types: Set<String>?
  /// The maximum size of a picture in bytes; `nil` if unknown.
  package var imageSize: Int?
  /// The maximum size of a GIF in bytes; `nil` if it is the same as for other pictures.
  var animationSize: Int?
  /// The maximum size of a video or sound in bytes; `nil` if unknown.
  package var videoSize: Int?
  /// The maximum length of a description in characters; 0 if descriptions are not supported, `nil` if unknown.
  package var descriptionLength: Int?
  /// The size in bytes of the parts of a large file's upload; `nil` if each file is uploaded in one request.
  package var partSize: Int?
  /// The media types of files that must be the only file in a post.
  var soleTypes: Set<String>

  package init(
    maximumCount: Int? = nil, types: Set<String>? = nil, imageSize: Int? = nil, animationSize: Int? = nil,
    videoSize: Int? = nil, descriptionLength: Int? = nil, partSize: Int? = nil, soleTypes: Set<String> = []
  ) {
    self.soleTypes = soleTypes
    self.maximumCount = maximumCount
    self.types = types
    self.imageSize = imageSize
    self.animationSize = animationSize
    self.videoSize = videoSize
    self.descriptionLength = descriptionLength
    self.partSize = partSize
  }

  /// Returns the reason the server would not publish these files; `nil` if none is known.
  /// - Parameter server: the server's name, for messages.
  func objection(to media: [PostMedia], server: String) -> String? {
    if let maximumCount, media.count > maximumCount {
      return "\(server) allows \(maximumCount) \(maximumCount == 1 ? "file" : "files") in a post, not \(media.count)"
    }
    for file in media {
      if let types, !types.contains(file.type) { return "\(file.path): \(server) does not accept \(file.type)" }
      let limit = sizeLimit(of: file.type)
      if let limit, file.size > limit {
        return
          "\(file.path): \(server) allows at most \(limit) bytes for files of this type, but this one has \(file.size)"
      }
      if media.count > 1, soleTypes.contains(file.type) {
        return "\(file.path): \(server) allows \(file.type) only as the sole file of a post"
      }
      guard let description = file.description, let descriptionLength else { continue }
      if descriptionLength == 0 { return "\(server) does not support descriptions of files; omit --alt" }
      if description.count > descriptionLength {
        return
          "\(file.path): the description has \(description.count) characters; at most \(descriptionLength) are allowed"
      }
    }
    return nil
  }

  private func sizeLimit(of type: String) -> Int? {
    if type == "image/gif", let animationSize { return animationSize }
    return type.hasPrefix("image/") ? imageSize : videoSize
  }
}
