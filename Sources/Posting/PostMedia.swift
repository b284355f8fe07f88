package import CivilTime

/// A file to publish with a post.
package struct PostMedia: Sendable, Hashable {
  /// The sizes that a file can have, in bytes: at most 8 TiB, so that the sum over all files of an outbox fits into 63 bits.
  package static let sizes = 0...(1 << 43)

  /// The absolute path.
  package let path: String
  /// A string that changes with the file, so that a different or a changed file is not sent in its place.
  package let fingerprint: String
  /// The size of the content in bytes, without the metadata that is not sent.
  package let size: Int
  /// The media type, such as `image/png`.
  package let type: String
  /// A description for users who cannot see or hear the file; `nil` for none.
  package let description: String?
  /// Whether the file is sent with its metadata.
  package let keepsMetadata: Bool

  package init(
    path: String, fingerprint: String, size: Int, type: String, description: String?, keepsMetadata: Bool = false
  ) {
    self.path = path
    self.fingerprint = fingerprint
    self.size = size
    self.type = type
    self.description = description
    self.keepsMetadata = keepsMetadata
  }
}

/// The stage of a file's upload. Each stage is stored, so that the next process continues from it.
package enum MediaStage: Sendable, Hashable {
  /// Nothing has been uploaded, or it must be uploaded again.
  case missing
  /// The server expects the file in parts, and has confirmed the first `sent` bytes.
  case partial(id: String, sent: Int)
  /// The server has the whole file, but is still processing it.
  case processing(id: String)
  /// The file can be published, but its description has not been sent.
  case undescribed(id: String)
  /// The file can be published.
  case ready(id: String)

  /// The server's id of the file.
  package var id: String? {
    switch self {
    case .missing: nil
    case .partial(let id, _), .processing(let id), .undescribed(let id), .ready(let id): id
    }
  }

  /// Returns how many bytes of a file of this size the server has.
  package func sent(of size: Int) -> Int {
    switch self {
    case .missing: 0
    case .partial(_, let sent): min(sent, size)
    case .processing, .undescribed, .ready: size
    }
  }
}

/// The upload of one of a post's files.
package struct MediaUpload: Sendable, Hashable {
  package var stage: MediaStage
  /// The time when the server deletes the file if it is not published; `nil` if unknown.
  package var expiresAt: Timestamp?

  package init(_ stage: MediaStage = .missing, expiresAt: Timestamp? = nil) {
    self.stage = stage
    self.expiresAt = expiresAt
  }

  /// Returns the stage at a given time. A file that the server has deleted must be uploaded again.
  package func stage(at now: Timestamp) -> MediaStage {
    if let expiresAt, expiresAt <= now { .missing } else { stage }
  }
}
