/// The value of `Authorization: OAuth …` (RFC 5849 §3.5.1).
public struct AuthorizationHeader: Sendable, Hashable {
  /// The realm; sent as it is, and never signed (§3.4.1.3.1).
  public let realm: String?
  /// The protocol parameters, decoded, in the order they are sent.
  public let parameters: [Parameter]

  /// Puts a header together. Control characters in the realm are left out: a header is one line.
  public init(realm: String? = nil, parameters: [Parameter]) {
    self.realm = realm.map { String(decoding: $0.utf8.filter { $0 >= 0x20 && $0 != 0x7F }, as: UTF8.self) }
    self.parameters = parameters
  }

  /// `OAuth realm="a", name="value", name="value"`: names and values percent-encoded, the realm a quoted string
  /// (RFC 9110 §5.6.4).
  public var value: String {
    var bytes = Array("OAuth ".utf8)
    // A signed request's header has 350 to 450 bytes.
    bytes.reserveCapacity(512)
    if let realm {
      bytes.append(contentsOf: "realm=\"".utf8)
      for byte in realm.utf8 {
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { bytes.append(UInt8(ascii: "\\")) }
        bytes.append(byte)
      }
      bytes.append(UInt8(ascii: "\""))
    }
    for (index, parameter) in parameters.enumerated() {
      if index > 0 || realm != nil { bytes.append(contentsOf: ", ".utf8) }
      PercentEncoding.append(parameter.name.span, to: &bytes)
      bytes.append(contentsOf: "=\"".utf8)
      PercentEncoding.append(parameter.value.span, to: &bytes)
      bytes.append(UInt8(ascii: "\""))
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The value of the parameter with this name, nil when there is none.
  public subscript(name: String) -> [UInt8]? {
    parameters.first { $0.isNamed(name) }?.value
  }
}

extension AuthorizationHeader: CustomStringConvertible, CustomReflectable {
  /// The names alone: a PLAINTEXT signature holds secrets.
  public var description: String {
    "OAuth " + parameters.map { String(decoding: $0.name, as: UTF8.self) + "=…" }.joined(separator: ", ")
  }

  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
