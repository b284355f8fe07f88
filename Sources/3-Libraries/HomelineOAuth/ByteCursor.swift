@_spi(Signing) internal import OAuthValues

/// A write position in a ``ByteBuffer``. The caller must have reserved enough capacity.
@safe struct ByteCursor {
  /// The address of the next byte.
  private(set) var next: UnsafeMutablePointer<UInt8>

  @inline(__always)
  init(_ next: UnsafeMutablePointer<UInt8>) {
    unsafe self.next = next
  }

  @inline(__always)
  mutating func put(_ byte: UInt8) {
    unsafe next.pointee = byte
    unsafe next += 1
  }

  /// Writes an ASCII string.
  @inline(__always)
  mutating func put(_ text: StaticString) {
    unsafe put(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  @inline(__always)
  mutating func put(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let source = bytes.baseAddress else { return }
    unsafe next.update(from: source, count: bytes.count)
    unsafe next += bytes.count
  }

  /// Writes this many bytes. `body` sets all of them.
  @inline(__always)
  mutating func put(_ count: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Void) {
    unsafe body(next)
    unsafe next += count
  }

  /// Writes bytes in encoded form. May overwrite up to ``PercentTable/overrun`` bytes after them.
  @inline(__always)
  mutating func put(_ bytes: UnsafeBufferPointer<UInt8>, encodedBy table: PercentTable) {
    unsafe next = table.write(bytes, to: next)
  }

  /// Writes a number in decimal, at most 19 digits. Negative numbers are written as 0.
  mutating func put(decimal number: Int64) {
    let number = max(number, 0)
    var digits = 1
    var bound: Int64 = 10
    while digits < 19, number >= bound {
      digits += 1
      bound = bound.multipliedReportingOverflow(by: 10).partialValue
    }
    var rest = UInt64(number)
    for index in (0..<digits).reversed() {
      unsafe next[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    unsafe next += digits
  }
}
