internal import Platform
internal import Time

/// The exclusive right to fetch a picture. The right ends when `store`, `fail`, `interrupt` or `release` is called.
package struct MediaClaim: Sendable, Hashable {
  package let url: String
  /// The part received before the last transfer was interrupted.
  package let part: Part?

  /// The beginning of a picture.
  package struct Part: Sendable, Hashable {
    package let bytes: [UInt8]
    /// A strong entity tag or date that tells the server whether the picture is still the same (RFC 9110 §13.1.5).
    package let validator: String

    package init(bytes: [UInt8], validator: String) {
      self.bytes = bytes
      self.validator = validator
    }
  }
}
