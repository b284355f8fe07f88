/// Bytes that must not be shown, such as a consumer secret, a token secret or a verifier.
///
/// A secret cannot be printed by accident: `print`, string interpolation and `dump` show `<redacted>`. The bytes are accessible only
/// through ``withExposed(_:)`` and ``withExposedText(_:)``, so a search for "withExposed" finds every use. The time taken to compare two
/// secrets depends only on their lengths.
public struct Secret: Sendable, Hashable {
  @usableFromInline let bytes: [UInt8]

  /// Stores the UTF-8 bytes of a string.
  public init(_ text: String) {
    bytes = Array(text.utf8)
  }

  /// Stores bytes.
  public init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Whether the secret is empty. RFC 5849 §3.4.2 allows empty secrets.
  public var isEmpty: Bool { bytes.isEmpty }

  /// Calls `body` with the bytes and rethrows its errors.
  @inlinable
  public func withExposed<R: ~Copyable, E: Error>(_ body: ([UInt8]) throws(E) -> R) throws(E) -> R {
    try body(bytes)
  }

  /// Calls `body` with the bytes as text and rethrows its errors. Invalid UTF-8 becomes U+FFFD.
  @inlinable
  public func withExposedText<R, E: Error>(_ body: (String) throws(E) -> R) throws(E) -> R {
    try body(String(decoding: bytes, as: UTF8.self))
  }

  /// Returns whether two secrets contain the same bytes. The time taken depends only on the lengths.
  public static func == (left: Secret, right: Secret) -> Bool {
    equalInConstantTime(left.bytes, right.bytes)
  }

  /// Adds the bytes to `hasher`.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(bytes)
  }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// `<redacted>`.
  public var description: String { "<redacted>" }

  /// `<redacted>`.
  public var debugDescription: String { description }

  /// An empty mirror, so that `dump` shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
