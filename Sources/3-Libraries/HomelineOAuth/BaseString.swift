public import Bytes
public import OAuthValues

extension OAuth {
  /// The text that an HMAC signature covers (RFC 5849 §3.4.1.1): the method, the base string URI and the normalised parameters, each
  /// percent-encoded and joined by `&`.
  public struct BaseString: Sendable, Hashable, CustomStringConvertible {
    /// The bytes, all ASCII.
    public let bytes: [UInt8]

    /// Creates a base string from its three parts. The method is converted to upper case. The path and the parameters are encoded a second
    /// time, so `%2F` becomes `%252F`.
    public init(method: String, url: RequestURL, parameters: NormalizedParameters) {
      var list = ParameterList()
      list.append(parameters.sorted)
      var written = ByteBuffer(capacity: 1_024)
      Self.write(method: ASCII.uppercased(method), url: url, sorted: list, to: &written)
      bytes = unsafe Array(written.contents)
    }

    /// The base string as text.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The value of ``text``.
    public var description: String { text }

    /// Writes a base string. The method must be in upper case and the parameters must be sorted.
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
}

extension RequestURL {
  /// Writes the encoded ``baseStringURI`` part by part, without creating a string.
  func writeBaseStringURI(to buffer: inout ByteBuffer) {
    buffer.append(isHTTPS ? "https%3A%2F%2F" : "http%3A%2F%2F")
    buffer.append(encoded: host)
    if let nonDefaultPort {
      buffer.append("%3A")
      buffer.append(decimal: Int64(nonDefaultPort))
    }
    buffer.append(encoded: path)
  }
}
