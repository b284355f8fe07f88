extension OAuth {
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
}

extension RequestURL {
  /// Writes ``baseStringURI``, encoded, as the base string has it: part by part, so that no text is put together for it.
  func writeBaseStringURI(to buffer: inout ByteBuffer) {
    buffer.append(isHTTPS ? "https%3A%2F%2F" : "http%3A%2F%2F")
    buffer.append(encoded: host)
    if let ownPort {
      buffer.append("%3A")
      buffer.append(decimal: Int64(ownPort))
    }
    buffer.append(encoded: path)
  }
}

/// The parameters of a request in the one order and form that gets signed (RFC 5849 §3.4.1.3.2).
///
/// They are sorted as they are when encoded: by encoded name, equal names by encoded value, byte by byte. Duplicates stay. Sorting
/// joined `name=value` texts would be wrong, since `=` sorts after `-`, `.`, `%` and the digits.
public struct NormalizedParameters: Sendable, Hashable, CustomStringConvertible {
  /// The parameters, decoded, in that order.
  let sorted: [OAuth.Parameter]

  /// Sorts the parameters. The caller has left out `realm` and `oauth_signature` (§3.4.1.3.1).
  public init(_ parameters: [OAuth.Parameter]) {
    var list = ParameterList()
    list.append(parameters)
    list.sort()
    sorted = list.parameters
  }

  /// `name=value` encoded and joined by `&`, all of it ASCII.
  public var text: String {
    var list = ParameterList()
    list.append(sorted)
    var written = ByteBuffer(capacity: 1_024)
    list.writeNormalized(to: &written)
    return unsafe String(decoding: written.contents, as: UTF8.self)
  }

  /// The same as ``text``.
  public var description: String { text }
}

/// Everything that a signature covers: what is told of it later is collected anew from here, in the way in which it was signed.
struct SignatureInput: Sendable, Hashable {
  let own: ProtocolParameters
  let stamp: OAuth.NonceTimestamp
  /// Further protocol parameters of this request alone.
  let additional: [OAuth.Parameter]
  let request: SignableRequest

  /// Collects and sorts the parameters.
  ///
  /// - Throws: ``OAuth/FormError`` when the query cannot be read.
  @inline(__always)
  func collect(in list: inout ParameterList) throws(OAuth.FormError) {
    list.removeAll()
    own.append(to: &list, stamp: stamp)
    let sorted = list.entries.count
    list.append(additional, isSent: true)
    try request.append(to: &list)
    list.sort(behind: sorted)
  }

  /// The same for input that has been signed, whose query is known to be readable.
  func withCollected<R>(_ body: (inout ParameterList) -> R) -> R {
    var list = ParameterList()
    try? collect(in: &list)
    return body(&list)
  }
}
