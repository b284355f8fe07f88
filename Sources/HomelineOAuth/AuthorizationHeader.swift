/// The value of `Authorization: OAuth …` (RFC 5849 §3.5.1).
public struct AuthorizationHeader: Sendable, Hashable {
  /// The realm; sent as it is, and never signed (§3.4.1.3.1).
  public let realm: String?
  /// The protocol parameters, decoded, in the order they are sent.
  public let parameters: [OAuth.Parameter]

  /// Puts a header together. Control characters in the realm are left out: a header is one line.
  public init(realm: String? = nil, parameters: [OAuth.Parameter]) {
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

/// Writes the value of `Authorization: OAuth …` (RFC 5849 §3.5.1): `OAuth realm="a", name="value", name="value"`, names and values
/// percent-encoded, the realm a quoted string (RFC 9110 §5.6.4).
enum HeaderWriter {
  /// The realm without the control characters in it: a header is one line.
  static func line(_ realm: String) -> String {
    String(decoding: realm.utf8.filter { $0 >= 0x20 && $0 != 0x7F }, as: UTF8.self)
  }

  /// Writes a realm, which is a line, and those parameters of a list that are sent.
  ///
  /// - Parameter watched: which of the list's entries to tell the place of.
  /// - Returns: where that one's value stands, encoded.
  @discardableResult
  @inline(__always)
  static func write(
    realm: String?, _ list: borrowing ParameterList, watched: Int? = nil, to buffer: inout ByteBuffer
  ) -> Range<Int> {
    buffer.append("OAuth ")
    if let realm { write(realm, to: &buffer) }
    var isFirst = realm == nil
    var place = 0..<0
    for index in list.entries.indices where list.entries[index].isSent {
      if !isFirst { buffer.append(", ") }
      isFirst = false
      let value = list.writeForHeader(list.entries[index], to: &buffer)
      if index == watched { place = value }
    }
    return place
  }

  private static func write(_ realm: String, to buffer: inout ByteBuffer) {
    buffer.append("realm=\"")
    buffer.append(atMost: 2 * realm.utf8.count + 1) { place in
      for byte in realm.utf8 {
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { place.put(UInt8(ascii: "\\")) }
        place.put(byte)
      }
      place.put(UInt8(ascii: "\""))
    }
  }
}
