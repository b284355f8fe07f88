/// A file to publish with a post.
package struct PostMedia: Sendable, Hashable {
  /// The possible sizes of a file, in bytes: at most 8 TiB, so that the sum of an outbox's files fits into 63 bits.
  package static let sizes = 0...(1 << 43)

  /// The absolute path.
  package let path: String
  /// A string that changes with the file, so that no different or changed file is sent in its place.
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
