extension OAuth {
  /// A decoded name and its value, as bytes (RFC 5849 §3.4.1.3.1).
  ///
  /// Bytes and not texts: `String` takes canonically equivalent letters for equal, and a signature does not. Parameters are
  /// kept in arrays and never in dictionaries, since a name may come twice and both count.
  public struct Parameter: Sendable, Hashable {
    /// The decoded name.
    public let name: [UInt8]
    /// The decoded value; empty for `name=` and for `name` alone.
    public let value: [UInt8]

    /// Pairs a name with a value.
    public init(name: [UInt8], value: [UInt8]) {
      self.name = name
      self.value = value
    }

    /// Pairs the UTF-8 bytes of two texts.
    public init(_ name: String, _ value: String) {
      self.init(name: Array(name.utf8), value: Array(value.utf8))
    }

    /// The name as a text, nil when its bytes are not UTF-8.
    public var nameText: String? { String(validating: name, as: UTF8.self) }

    /// The value as a text, nil when its bytes are not UTF-8.
    public var valueText: String? { String(validating: value, as: UTF8.self) }

    /// Whether the name is `text`, byte by byte.
    public func isNamed(_ text: String) -> Bool { name.count == text.utf8.count && name.elementsEqual(text.utf8) }

    /// Whether the name begins with `oauth_`, which makes it a protocol parameter (§3.1).
    public var isProtocolParameter: Bool { name.starts(with: "oauth_".utf8) }
  }
}

extension OAuth.Parameter {
  /// Pairs a name with a secret's bytes.
  init(_ name: String, exposing secret: OAuth.Secret) {
    self.init(name: Array(name.utf8), value: secret.withExposed { $0 })
  }
}

// The short name for the other targets of this package; programs outside it see the namespace only.
package typealias Parameter = OAuth.Parameter
