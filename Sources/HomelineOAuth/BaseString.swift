/// What an HMAC signature is made over (RFC 5849 §3.4.1.1): the method, the base string URI and the normalised parameters,
/// each percent-encoded, with exactly two `&` between them.
public struct BaseString: Sendable, Hashable, CustomStringConvertible {
  /// The bytes, all of them ASCII.
  public let bytes: [UInt8]

  /// Puts the three parts together. The method is made upper-case, the path is encoded a second time (`%2F` becomes
  /// `%252F`), and so are the parameters.
  public init(method: String, url: RequestURL, parameters: NormalizedParameters) {
    var list = ParameterList()
    list.append(parameters.sorted)
    var written = ByteBuffer(capacity: 1_024)
    Self.write(method: ASCII.uppercased(method), url: url, sorted: list, to: &written)
    bytes = unsafe Array(written.contents)
  }

  /// The whole as a text.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The same as ``text``.
  public var description: String { text }

  /// Writes a base string. The method is upper-case, the parameters are sorted.
  @inline(__always)
  static func write(
    method: String, url: RequestURL, sorted parameters: borrowing ParameterList, to buffer: inout ByteBuffer
  ) {
    buffer.append(encoded: method)
    buffer.append("&")
    url.writeBaseStringURI(to: &buffer)
    buffer.append("&")
    parameters.writeForBaseString(to: &buffer)
  }
}
