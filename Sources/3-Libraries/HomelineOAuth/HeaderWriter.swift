internal import OAuthValues

/// Writes the value of `Authorization: OAuth …` (RFC 5849 §3.5.1): `OAuth realm="a", name="value", name="value"`, with
/// percent-encoded names and values and the realm as a quoted string (RFC 9110 §5.6.4).
enum HeaderWriter {
  /// Removes control characters from a realm.
  static func line(_ realm: String) -> String {
    String(decoding: realm.utf8.filter { $0 >= 0x20 && $0 != 0x7F }, as: UTF8.self)
  }

  /// Writes a realm, which must not contain control characters, and the parameters of a list that are sent.
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
