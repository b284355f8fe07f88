package import CivilTime
package import Posting

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
  /// The size of the parts in which large files are uploaded, in bytes; `nil` if each file is uploaded in one request.
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
  /// - Parameter software: the server's software, for messages.
  func objection(to media: [PostMedia], software: String) -> String? {
    if let maximumCount, media.count > maximumCount {
      return "\(software) allows \(maximumCount) \(maximumCount == 1 ? "file" : "files") in a post, not \(media.count)"
    }
    for file in media {
      if let types, !types.contains(file.type) { return "\(file.path): \(software) does not accept \(file.type)" }
      let limit = sizeLimit(of: file.type)
      if let limit, file.size > limit {
        return
          "\(file.path): \(software) allows at most \(limit) bytes for files of this type, but this one has \(file.size)"
      }
      if media.count > 1, soleTypes.contains(file.type) {
        return "\(file.path): \(software) allows \(file.type) only as the sole file of a post"
      }
      guard let description = file.description, let descriptionLength else { continue }
      if descriptionLength == 0 { return "\(software) does not support descriptions of files; omit --alt" }
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

/// The outcome of one request of an upload.
package enum MediaResult: Sendable, Hashable {
  /// - Parameters:
  ///   - after: the time to wait before the next request of this upload.
  ///   - lifetime: how long the server keeps the file if it is not published; `nil` if the response does not change that.
  case reached(MediaStage, after: Duration? = nil, lifetime: Duration? = nil)
  /// The same request may succeed later: at `until`, if that is known.
  case postponed(String, until: Timestamp?)
  /// The server does not accept the token. The upload waits until the user logs in again.
  case withoutLogin(String)
  /// The server does not accept the file.
  case refused(String)
}
