extension ParameterList {
  /// Writes the sorted parameters as a base string has them: `name=value` joined by `&`, encoded, and that encoded again
  /// (RFC 5849 §3.4.1.1).
  func writeForBaseString(to buffer: inout ByteBuffer) {
    write(encodedBy: .twice, equals: "%3D", and: "%26", to: &buffer)
  }

  /// Writes the parameters in their normal form: `name=value` joined by `&` (§3.4.1.3.2).
  func writeNormalized(to buffer: inout ByteBuffer) {
    write(encodedBy: .once, equals: "=", and: "&", to: &buffer)
  }

  @inline(__always)
  private func write(
    encodedBy table: PercentTable, equals: StaticString, and: StaticString, to buffer: inout ByteBuffer
  ) {
    let limit = PercentTable.growth * byteCount + 6 * entries.count + PercentTable.overrun
    buffer.append(atMost: limit) { place in
      var isFirst = true
      for entry in entries {
        if !isFirst { place.put(and) }
        isFirst = false
        if entry.isPlain {
          unsafe place.put(name(entry))
          place.put(equals)
          unsafe place.put(value(entry))
        } else {
          unsafe place.put(name(entry), encodedBy: table)
          place.put(equals)
          unsafe place.put(value(entry), encodedBy: table)
        }
      }
    }
  }

  /// Writes an entry as an Authorization header has it: `name="value"`, both encoded (§3.5.1).
  ///
  /// - Returns: where the value stands in the buffer.
  func writeForHeader(_ entry: Entry, to buffer: inout ByteBuffer) -> Range<Int> {
    let start = buffer.count
    let limit = PercentTable.growth * (entry.end - entry.name) + 3 + PercentTable.overrun
    var value = 0
    buffer.append(atMost: limit) { place in
      let first = unsafe place.next
      if entry.isPlain {
        unsafe place.put(name(entry))
        place.put("=\"")
        value = unsafe place.next - first
        unsafe place.put(self.value(entry))
      } else {
        unsafe place.put(name(entry), encodedBy: .once)
        place.put("=\"")
        value = unsafe place.next - first
        unsafe place.put(self.value(entry), encodedBy: .once)
      }
      place.put(UInt8(ascii: "\""))
    }
    return start + value..<buffer.count - 1
  }
}
