@_spi(Signing) internal import OAuthValues

extension ParameterList {
  /// Writes the sorted parameters for a base string: the encoded `name=value` pairs, joined by `&`, are encoded a second time (RFC 5849
  /// §3.4.1.1).
  func writeForBaseString(to buffer: inout ByteBuffer) {
    write(encodedBy: .twice, equals: "%3D", and: "%26", to: &buffer)
  }

  /// Writes the parameters in normalised form: encoded `name=value` pairs, joined by `&` (§3.4.1.3.2).
  func writeNormalized(to buffer: inout ByteBuffer) {
    write(encodedBy: .once, equals: "=", and: "&", to: &buffer)
  }

  @inline(__always)
  private func write(
    encodedBy table: PercentTable, equals: StaticString, and: StaticString, to buffer: inout ByteBuffer
  ) {
    let limit = PercentTable.growth * byteCount + 6 * entries.count + PercentTable.overrun
    buffer.append(atMost: limit) { cursor in
      var isFirst = true
      for entry in entries {
        if !isFirst { cursor.put(and) }
        isFirst = false
        if entry.isPlain {
          unsafe cursor.put(name(entry))
          cursor.put(equals)
          unsafe cursor.put(value(entry))
        } else {
          unsafe cursor.put(name(entry), encodedBy: table)
          cursor.put(equals)
          unsafe cursor.put(value(entry), encodedBy: table)
        }
      }
    }
  }

  /// Writes an entry for an Authorization header as encoded `name="value"` (§3.5.1).
  ///
  /// - Returns: the range of the value in the buffer.
  func writeForHeader(_ entry: Entry, to buffer: inout ByteBuffer) -> Range<Int> {
    let start = buffer.count
    let limit = PercentTable.growth * (entry.end - entry.name) + 3 + PercentTable.overrun
    var value = 0
    buffer.append(atMost: limit) { cursor in
      let first = unsafe cursor.next
      if entry.isPlain {
        unsafe cursor.put(name(entry))
        cursor.put("=\"")
        value = unsafe cursor.next - first
        unsafe cursor.put(self.value(entry))
      } else {
        unsafe cursor.put(name(entry), encodedBy: .once)
        cursor.put("=\"")
        value = unsafe cursor.next - first
        unsafe cursor.put(self.value(entry), encodedBy: .once)
      }
      cursor.put(UInt8(ascii: "\""))
    }
    return start + value..<buffer.count - 1
  }
}
