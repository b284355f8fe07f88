/// The bytes of a `String`, which are valid UTF-8. Text is scanned byte by byte, and only non-ASCII scalars are decoded: iterating over the
/// scalars of a `String` takes about 15 instructions each, and looking up a Unicode property about 50.
enum UTF8Text {
  /// Returns the scalar that begins at an index, and the index after it.
  static func scalar(at index: Int, in bytes: Span<UInt8>) -> (scalar: Unicode.Scalar, end: Int) {
    let first = UInt32(bytes[index])
    if first < 0x80 { return (Unicode.Scalar(UInt8(first)), index + 1) }
    let count = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
    // The first byte has this many bits of the scalar.
    var value = first & (0x7f >> UInt32(count))
    for next in index + 1..<index + count { value = value << 6 | UInt32(bytes[next] & 0x3f) }
    guard let scalar = Unicode.Scalar(value) else { preconditionFailure("text is not valid UTF-8") }
    return (scalar, index + count)
  }

  /// Returns the scalar before an index, which must be above 0.
  static func scalar(before index: Int, in bytes: Span<UInt8>) -> Unicode.Scalar {
    var start = index - 1
    while bytes[start] & 0xc0 == 0x80 { start -= 1 }
    return scalar(at: start, in: bytes).scalar
  }

  /// Returns a part of a text. It must begin and end between scalars.
  static func text(_ range: Range<Int>, of bytes: Span<UInt8>) -> String {
    unsafe bytes.withUnsafeBufferPointer {
      unsafe String(decoding: UnsafeBufferPointer(rebasing: $0[range]), as: UTF8.self)
    }
  }

  /// Returns whether a byte is an ASCII letter or digit.
  @inline(__always)
  static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: false
    }
  }

  /// Returns whether a byte is an ASCII hexadecimal digit.
  @inline(__always)
  static func isHexadecimal(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "F"),
      UInt8(ascii: "a")...UInt8(ascii: "f"):
      true
    default: false
    }
  }
}
