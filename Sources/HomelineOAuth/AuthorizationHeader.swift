/// The value of `Authorization: OAuth …` (RFC 5849 §3.5.1).
public struct AuthorizationHeader: Sendable, Hashable {
  /// The realm; sent as it is, and never signed (§3.4.1.3.1).
  public let realm: String?
  /// The protocol parameters, decoded, in the order they are sent.
  public let parameters: [Parameter]

  /// Puts a header together. Control characters in the realm are left out: a header is one line.
  public init(realm: String? = nil, parameters: [Parameter]) {
    self.realm = realm.map(HeaderWriter.line)
    self.parameters = parameters
  }

  /// `OAuth realm="a", name="value", name="value"`: names and values percent-encoded, the realm a quoted string
  /// (RFC 9110 §5.6.4).
  public var value: String {
    var list = ParameterList()
    list.append(parameters, isSent: true)
    var written = ByteBuffer(capacity: 1_024)
    HeaderWriter.write(realm: realm, list, to: &written)
    return unsafe String(decoding: written.contents, as: UTF8.self)
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
