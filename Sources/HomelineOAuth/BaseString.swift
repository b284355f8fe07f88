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

/// The parameters of a request, sorted and normalised for signing (RFC 5849 §3.4.1.3.2).
///
/// The parameters are sorted by encoded name, then by encoded value, byte by byte. Duplicates are preserved. Sorting the joined
/// `name=value` strings would give the wrong order, because `=` sorts after `-`, `.`, `%` and the digits.
public struct NormalizedParameters: Sendable, Hashable, CustomStringConvertible {
  /// The decoded parameters in sorted order.
  let sorted: [OAuth.Parameter]

  /// Sorts parameters, which must include neither `realm` nor `oauth_signature` (§3.4.1.3.1).
  public init(_ parameters: [OAuth.Parameter]) {
    var list = ParameterList()
    list.append(parameters)
    list.sort()
    sorted = list.parameters
  }

  /// The encoded `name=value` pairs, joined by `&`, in ASCII.
  public var text: String {
    var list = ParameterList()
    list.append(sorted)
    var written = ByteBuffer(capacity: 1_024)
    list.writeNormalized(to: &written)
    return unsafe String(decoding: written.contents, as: UTF8.self)
  }

  /// The value of ``text``.
  public var description: String { text }
}

/// The input to a signature, from which the properties of ``OAuth/Authorization`` are computed.
struct SignatureInput: Sendable, Hashable {
  let own: ProtocolParameters
  let nonceTimestamp: OAuth.NonceTimestamp
  /// Further protocol parameters of this request.
  let additional: [OAuth.Parameter]
  let request: SignableRequest

  /// Collects and sorts the parameters.
  ///
  /// - Throws: ``OAuth/FormError`` if the query is malformed.
  @inline(__always)
  func collect(in list: inout ParameterList) throws(OAuth.FormError) {
    list.removeAll()
    own.append(to: &list, nonceTimestamp: nonceTimestamp)
    let sorted = list.entries.count
    list.append(additional, isSent: true)
    try request.append(to: &list)
    list.sort(after: sorted)
  }

  /// Collects the parameters of input that has already been signed. Its query is therefore known to be valid.
  func withCollected<R>(_ body: (inout ParameterList) -> R) -> R {
    var list = ParameterList()
    try? collect(in: &list)
    return body(&list)
  }
}
