/// Bytes that are written one behind another, in memory that is kept for the next ones.
///
/// Room is asked for once for many bytes, and then written without looking: an array looks at its owner and its end for each.
@safe struct ByteBuffer: ~Copyable {
  /// How many bytes there are.
  private(set) var count = 0
  private var start: UnsafeMutablePointer<UInt8>
  private var capacity: Int

  /// Makes room for this many bytes.
  init(capacity: Int) {
    unsafe start = .allocate(capacity: capacity)
    self.capacity = capacity
  }

  deinit {
    unsafe start.deallocate()
  }

  /// All the bytes, until something is written.
  var contents: UnsafeBufferPointer<UInt8> {
    @inline(__always) get { unsafe UnsafeBufferPointer(start: start, count: count) }
  }

  /// Some of the bytes, until something is written.
  @inline(__always)
  func contents(from start: Int, to end: Int) -> UnsafeBufferPointer<UInt8> {
    assert(0 <= start && start <= end && end <= count)
    return unsafe UnsafeBufferPointer(start: self.start + start, count: end - start)
  }

  /// Forgets the bytes. Of much memory none is kept: one long request must not be paid for as long as its signer lives.
  mutating func removeAll() {
    count = 0
    guard capacity > 65_536 else { return }
    unsafe start.deallocate()
    capacity = 1_024
    unsafe start = .allocate(capacity: capacity)
  }

  /// Hands a place to write to, with room for `limit` bytes.
  @inline(__always)
  mutating func append(atMost limit: Int, _ body: (inout ByteCursor) -> Void) {
    if capacity - count < limit { grow(by: limit) }
    var place = unsafe ByteCursor(start + count)
    body(&place)
    count = unsafe place.next - start
    assert(count <= capacity)
  }

  @inline(never)
  private mutating func grow(by limit: Int) {
    let capacity = max(2 * self.capacity, count + limit)
    let start = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    unsafe start.update(from: self.start, count: count)
    unsafe self.start.deallocate()
    unsafe self.start = start
    self.capacity = capacity
  }
}

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
