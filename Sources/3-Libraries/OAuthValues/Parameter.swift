extension OAuth {
  /// A decoded name and value, as bytes (RFC 5849 §3.4.1.3.1).
  ///
  /// Names and values are bytes, because `String` treats canonically equivalent characters as equal, although their signatures differ.
  /// Parameters are stored in arrays, because a name may appear more than once.
  public struct Parameter: Sendable, Hashable {
    /// The decoded name.
    public let name: [UInt8]
    /// The decoded value; empty for `name=` and for `name`.
    public let value: [UInt8]

    /// Creates a parameter from bytes.
    public init(name: [UInt8], value: [UInt8]) {
      self.name = name
      self.value = value
    }

    /// Creates a parameter from the UTF-8 bytes of two strings.
    public init(_ name: String, _ value: String) {
      self.init(name: Array(name.utf8), value: Array(value.utf8))
    }

    /// The name as text; nil if it is not valid UTF-8.
    public var nameText: String? { String(validating: name, as: UTF8.self) }

    /// The value as text; nil if it is not valid UTF-8.
    public var valueText: String? { String(validating: value, as: UTF8.self) }

    /// Returns whether the name equals `text`, byte by byte.
    public func isNamed(_ text: String) -> Bool { name.count == text.utf8.count && name.elementsEqual(text.utf8) }

    /// Whether this is a protocol parameter, whose name starts with `oauth_` (§3.1).
    public var isProtocolParameter: Bool { name.starts(with: "oauth_".utf8) }
  }
}

// A short name for this package's other targets. Other packages use the one in the namespace `OAuth`.
package typealias Parameter = OAuth.Parameter
