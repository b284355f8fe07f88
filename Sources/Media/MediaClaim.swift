internal import CivilTime
internal import HomelineOAuth
internal import Platform

/// A picture that somebody is to fetch, and nobody else meanwhile. It is over with one of `keep`, `fail`, `interrupt` and `release`.
package struct MediaClaim: Sendable, Hashable {
  package let url: String
  /// What came before its last transfer broke.
  package let part: Part?

  /// The beginning of a picture.
  package struct Part: Sendable, Hashable {
    package let bytes: [UInt8]
    /// By which the server knows whether it is still the same picture: a strong entity tag or a date (RFC 9110 §13.1.5).
    package let validator: String

    package init(bytes: [UInt8], validator: String) {
      self.bytes = bytes
      self.validator = validator
    }
  }
}
