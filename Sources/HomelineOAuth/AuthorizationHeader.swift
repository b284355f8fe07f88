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

/// Writes the value of `Authorization: OAuth …` (RFC 5849 §3.5.1): `OAuth realm="a", name="value", name="value"`, with
/// percent-encoded names and values and the realm as a quoted string (RFC 9110 §5.6.4).
enum HeaderWriter {
  /// Removes control characters from a realm.
  static func line(_ realm: String) -> String {
    String(decoding: realm.utf8.filter { $0 >= 0x20 && $0 != 0x7F }, as: UTF8.self)
  }

  /// Writes a realm, which must have no control characters, and those parameters of a list that are sent.
  ///
  /// - Parameter watched: the index of a list entry.
  /// - Returns: the range of that entry's encoded value.
  @discardableResult
  @inline(__always)
  static func write(
    realm: String?, _ list: borrowing ParameterList, watched: Int? = nil, to buffer: inout ByteBuffer
  ) -> Range<Int> {
    buffer.append("OAuth ")
    if let realm { write(realm, to: &buffer) }
    var isFirst = realm == nil
    var range = 0..<0
    for index in list.entries.indices where list.entries[index].isSent {
      if !isFirst { buffer.append(", ") }
      isFirst = false
      let value = list.writeForHeader(list.entries[index], to: &buffer)
      if index == watched { range = value }
    }
    return range
  }

  private static func write(_ realm: String, to buffer: inout ByteBuffer) {
    buffer.append("realm=\"")
    buffer.append(atMost: 2 * realm.utf8.count + 1) { cursor in
      for byte in realm.utf8 {
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { cursor.put(UInt8(ascii: "\\")) }
        cursor.put(byte)
      }
      cursor.put(UInt8(ascii: "\""))
    }
  }
}
