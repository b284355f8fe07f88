/// What an HMAC signature is made over (RFC 5849 §3.4.1.1): the method, the base string URI and the normalised parameters,
/// each percent-encoded, with exactly two `&` between them.
public struct BaseString: Sendable, Hashable, CustomStringConvertible {
  /// The bytes, all of them ASCII.
  public let bytes: [UInt8]

  /// Puts the three parts together. The method is made upper-case, the path is encoded a second time (`%2F` becomes
  /// `%252F`), and so are the parameters.
  public init(method: String, url: RequestURL, parameters: NormalizedParameters) {
    let method = method.utf8.map { ASCII.uppercased($0) }
    let uri = Array(url.baseStringURI.utf8)
    var bytes: [UInt8] = []
    // At worst each byte takes three, and room for that is asked for below: asking once saves the growing.
    bytes.reserveCapacity(3 * (method.count + uri.count + parameters.bytes.count) + 2)
    PercentEncoding.append(method.span, to: &bytes)
    bytes.append(UInt8(ascii: "&"))
    PercentEncoding.append(uri.span, to: &bytes)
    bytes.append(UInt8(ascii: "&"))
    PercentEncoding.append(parameters.bytes.span, to: &bytes)
    self.bytes = bytes
  }

  /// The whole as a text.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The same as ``text``.
  public var description: String { text }
}
