/// Replaces bytes of text, for escaping and encoding. The bytes between two replaced bytes are copied together.
///
/// Most text needs no replacement and is returned as it is. Escaping byte by byte instead of scalar by scalar takes a tenth of the
/// instructions, because appending a scalar to a `String` takes about 60.
enum ByteReplacement {
  /// Returns the text with each byte that is not plain replaced.
  /// - Parameters:
  ///   - isPlain: whether a byte is copied.
  ///   - replace: appends the replacement of the byte at an index, and moves the index to the next byte to be examined. It must leave
  ///     the output valid UTF-8.
  @inline(__always)
  static func text(
    _ text: String, plain isPlain: (UInt8) -> Bool, _ replace: (Span<UInt8>, inout Int, inout [UInt8]) -> Void
  ) -> String {
    let bytes = text.utf8.span
    var index = 0
    while index < bytes.count, isPlain(bytes[index]) { index += 1 }
    if index == bytes.count { return text }
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count + bytes.count / 4 + 16)
    var start = 0
    while true {
      unsafe bytes.withUnsafeBufferPointer {
        unsafe output.append(contentsOf: UnsafeBufferPointer(rebasing: $0[start..<index]))
      }
      if index == bytes.count { break }
      replace(bytes, &index, &output)
      start = index
      while index < bytes.count, isPlain(bytes[index]) { index += 1 }
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// Returns the text with every byte that is not plain replaced by a prefix and two hexadecimal digits.
  @inline(__always)
  static func encoded(
    _ text: String, prefix: UInt8, uppercase: Bool, plain isPlain: (UInt8) -> Bool
  ) -> String {
    self.text(text, plain: isPlain) { bytes, index, output in
      appendEncoded(bytes[index], prefix: prefix, uppercase: uppercase, to: &output)
      index += 1
    }
  }

  /// Appends a prefix and the two hexadecimal digits of a byte.
  static func appendEncoded(_ byte: UInt8, prefix: UInt8, uppercase: Bool, to output: inout [UInt8]) {
    output.append(prefix)
    for digit in [byte >> 4, byte & 15] {
      output.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: uppercase ? "A" : "a") + digit - 10)
    }
  }
}
