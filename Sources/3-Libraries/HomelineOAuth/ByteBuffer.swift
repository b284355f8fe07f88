@_spi(Signing) internal import OAuthValues

/// A growable byte buffer that reuses its memory.
///
/// One check of the capacity covers many bytes, which are then written without further checks. An array would check ownership and bounds
/// for each byte.
@safe struct ByteBuffer: ~Copyable {
  /// The number of bytes.
  private(set) var count = 0
  private var start: UnsafeMutablePointer<UInt8>
  private(set) var capacity: Int

  /// The capacity of a buffer that grows from nothing, enough for most requests.
  private static let least = 1_024

  /// Allocates memory for this many bytes.
  init(capacity: Int) {
    unsafe start = .allocate(capacity: capacity)
    self.capacity = capacity
  }

  deinit {
    unsafe start.deallocate()
  }

  /// The bytes, valid until the next write.
  var contents: UnsafeBufferPointer<UInt8> {
    @inline(__always) get { unsafe UnsafeBufferPointer(start: start, count: count) }
  }

  /// Returns part of the bytes, valid until the next write.
  @inline(__always)
  func contents(from start: Int, to end: Int) -> UnsafeBufferPointer<UInt8> {
    assert(0 <= start && start <= end && end <= count)
    return unsafe UnsafeBufferPointer(start: self.start + start, count: end - start)
  }

  /// Removes all bytes. Releases a large allocation, so that a single long request does not tie up memory.
  mutating func removeAll() {
    count = 0
    guard capacity > 65_536 else { return }
    unsafe start.deallocate()
    capacity = Self.least
    unsafe start = .allocate(capacity: capacity)
  }

  /// Calls `body` with a cursor that has capacity for `limit` bytes.
  @inline(__always)
  mutating func append(atMost limit: Int, _ body: (inout ByteCursor) -> Void) {
    if capacity - count < limit { grow(by: limit) }
    var cursor = unsafe ByteCursor(start + count)
    body(&cursor)
    count = unsafe cursor.next - start
    assert(count <= capacity)
  }

  @inline(never)
  private mutating func grow(by limit: Int) {
    let capacity = max(Self.least, 2 * self.capacity, count + limit)
    let start = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    unsafe start.update(from: self.start, count: count)
    unsafe self.start.deallocate()
    unsafe self.start = start
    self.capacity = capacity
  }
}

extension ByteBuffer {
  /// Appends an ASCII string.
  @inline(__always)
  mutating func append(_ text: StaticString) {
    append(atMost: text.utf8CodeUnitCount) { $0.put(text) }
  }

  /// Appends the percent-encoded UTF-8 bytes of a string.
  @inline(__always)
  mutating func append(encoded text: String) {
    let bytes = text.utf8.span
    append(atMost: PercentTable.growth * bytes.count + PercentTable.overrun) { cursor in
      unsafe bytes.withUnsafeBufferPointer { unsafe cursor.put($0, encodedBy: .once) }
    }
  }

  /// Appends a non-negative number in decimal.
  mutating func append(decimal number: Int64) {
    append(atMost: 19) { $0.put(decimal: number) }
  }
}
