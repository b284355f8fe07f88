extension OAuth {
  /// Bytes that must not be seen: a consumer secret, a token secret, a verifier.
  ///
  /// A secret cannot be printed by accident: `print`, string interpolation and `dump` show `<redacted>`. Its bytes come out
  /// only through ``withExposed(_:)`` and ``withExposedText(_:)``, so that a search for "withExposed" finds every place that
  /// sees one. Two secrets are equal when their bytes are; the comparison takes the same time wherever they differ.
  public struct Secret: Sendable, Hashable {
    private let bytes: [UInt8]

    /// Keeps the UTF-8 bytes of a text.
    public init(_ text: String) {
      bytes = Array(text.utf8)
    }

    /// Keeps the bytes as they are.
    public init(bytes: [UInt8]) {
      self.bytes = bytes
    }

    /// Whether there are no bytes at all. RFC 5849 §3.4.2 allows empty secrets.
    public var isEmpty: Bool { bytes.isEmpty }

    /// Hands the bytes to `body`; what it throws is thrown on.
    public func withExposed<R: ~Copyable, E: Error>(_ body: ([UInt8]) throws(E) -> R) throws(E) -> R {
      try body(bytes)
    }

    /// Hands the bytes to `body` as a text; what it throws is thrown on. Bytes that are not UTF-8 become U+FFFD.
    public func withExposedText<R, E: Error>(_ body: (String) throws(E) -> R) throws(E) -> R {
      try body(String(decoding: bytes, as: UTF8.self))
    }

    /// Whether both hold the same bytes; the time taken depends on the lengths only.
    public static func == (left: Secret, right: Secret) -> Bool {
      equalInConstantTime(left.bytes, right.bytes)
    }

    /// Feeds the bytes to `hasher`.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(bytes)
    }
  }
}

extension OAuth.Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// `<redacted>`.
  public var description: String { "<redacted>" }

  /// `<redacted>`.
  public var debugDescription: String { description }

  /// A mirror without children, so that `dump` has nothing to show.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

// The short name for the other targets of this package; programs outside it see the namespace only.
package typealias Secret = OAuth.Secret
