public import OAuthValues

/// The value of `Authorization: OAuth …` (RFC 5849 §3.5.1).
public struct AuthorizationHeader: Sendable, Hashable {
  /// The realm, which is sent unchanged and never signed (§3.4.1.3.1).
  public let realm: String?
  /// The decoded protocol parameters, in the order they are sent.
  public let parameters: [OAuth.Parameter]

  /// Creates a header. Control characters in the realm are removed, because a header is a single line.
  public init(realm: String? = nil, parameters: [OAuth.Parameter]) {
    self.realm = realm.map(HeaderWriter.line)
    self.parameters = parameters
  }

  /// The header value: `OAuth realm="a", name="value", name="value"`, with percent-encoded names and values and the realm as a quoted
  /// string (RFC 9110 §5.6.4).
  public var value: String {
    var list = ParameterList()
    list.append(parameters, isSent: true)
    var written = ByteBuffer(capacity: 1_024)
    HeaderWriter.write(realm: realm, list, to: &written)
    return unsafe String(decoding: written.contents, as: UTF8.self)
  }

  /// The value of the parameter with the given name; nil if there is none.
  public subscript(name: String) -> [UInt8]? {
    parameters.first { $0.isNamed(name) }?.value
  }
}

extension AuthorizationHeader: CustomStringConvertible, CustomReflectable {
  /// The names of the parameters. The values are left out, because a PLAINTEXT signature contains secrets.
  public var description: String {
    "OAuth " + parameters.map { String(decoding: $0.name, as: UTF8.self) + "=…" }.joined(separator: ", ")
  }

  /// An empty mirror, so that `dump` shows no secrets.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
