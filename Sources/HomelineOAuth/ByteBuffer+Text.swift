extension ByteBuffer {
  /// Adds an ASCII text as it is.
  @inline(__always)
  mutating func append(_ text: StaticString) {
    append(atMost: text.utf8CodeUnitCount) { $0.put(text) }
  }

  /// Adds a text's UTF-8 bytes, encoded once.
  @inline(__always)
  mutating func append(encoded text: String) {
    let bytes = text.utf8.span
    append(atMost: PercentTable.growth * bytes.count + PercentTable.overrun) { place in
      unsafe bytes.withUnsafeBufferPointer { unsafe place.put($0, encodedBy: .once) }
    }
  }

  /// Adds a number that is not negative, in decimal digits.
  mutating func append(decimal number: Int64) {
    append(atMost: 19) { $0.put(decimal: number) }
  }
}
