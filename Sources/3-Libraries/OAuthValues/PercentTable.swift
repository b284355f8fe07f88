// Sendable because the table is not modified after initialisation.
/// A table of the percent-encoded form of each byte (RFC 5849 §3.6). Encoding a byte takes one load and one store, without branches.
///
/// Signing encodes all parameters of a request, so the table uses pointers, and its functions become part of their callers in other modules.
/// Arrays with bounds checks would take twice as many instructions. The table is public for that alone: the compiler does not inline what
/// only the package can see.
@_spi(Signing) @safe public struct PercentTable: @unchecked Sendable {
  /// The characters that are not encoded (§3.6).
  public static let unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"

  /// The maximum number of bytes in the encoded form of one byte.
  @inlinable public static var growth: Int { 5 }
  /// The number of bytes after the last written byte that may be overwritten.
  @inlinable public static var overrun: Int { 8 }

  // Each entry contains up to five bytes, the first of them in the lowest byte, and their number in the highest byte.
  @usableFromInline let entries: UnsafePointer<UInt64>

  /// Creates a table whose escapes begin with these bytes. Its memory is never freed.
  public init(escapedBy escape: [UInt8]) {
    let entries = UnsafeMutablePointer<UInt64>.allocate(capacity: 256)
    for byte in UInt8.min...UInt8.max {
      unsafe (entries + Int(byte)).initialize(
        to: Self.entry(escape + [Self.digit(byte >> 4), Self.digit(byte & 0x0F)]))
    }
    for byte in Self.unreserved.utf8 { unsafe entries[Int(byte)] = Self.entry([byte]) }
    unsafe self.entries = UnsafePointer(entries)
  }

  private static func entry(_ letters: [UInt8]) -> UInt64 {
    letters.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) } | UInt64(letters.count) << 56
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }

  /// Returns whether a byte is not encoded.
  @inlinable @inline(__always)
  public func keeps(_ byte: UInt8) -> Bool { unsafe entries[Int(byte)] >> 56 == 1 }

  /// Returns whether none of the bytes is encoded.
  @inlinable @inline(__always)
  public func keeps(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var longest: UInt64 = 0
    for index in bytes.indices { longest |= unsafe entries[Int(bytes[index])] >> 56 }
    return longest <= 1
  }

  /// Returns the sort order of a byte in its encoded form. Escaped bytes start with `%`, and so sort before all unreserved bytes.
  @inlinable @inline(__always)
  public func rank(_ byte: UInt8) -> Int { Int(byte) | (keeps(byte) ? 0x100 : 0) }

  /// Writes the encoded form of bytes. The memory must have capacity for ``growth`` times the number of bytes, plus ``overrun``.
  ///
  /// - Returns: the address after the last encoded byte.
  @inlinable @inline(__always)
  public func write(_ bytes: UnsafeBufferPointer<UInt8>, to start: UnsafeMutablePointer<UInt8>)
    -> UnsafeMutablePointer<UInt8>
  {
    var next = UnsafeMutableRawPointer(start)
    for index in bytes.indices {
      let entry = unsafe entries[Int(bytes[index])]
      unsafe next.storeBytes(of: entry.littleEndian, as: UInt64.self)
      unsafe next += Int(entry >> 56)
    }
    return unsafe next.assumingMemoryBound(to: UInt8.self)
  }
}
