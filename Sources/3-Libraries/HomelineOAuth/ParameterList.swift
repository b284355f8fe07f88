internal import Bytes
@_spi(Signing) internal import OAuthValues

/// The decoded parameters of a request, stored in one contiguous buffer. The list collects, sorts and writes them.
///
/// A signer reuses its list, so that signing allocates no memory for it.
struct ParameterList: ~Copyable {
  /// The position of a parameter in the buffer.
  struct Entry {
    fileprivate(set) var name: Int
    fileprivate(set) var value: Int
    fileprivate(set) var end: Int
    /// Whether the parameter is sent in the Authorization header.
    let isSent: Bool
    /// Whether the name and the value are known to need no encoding.
    let isPlain: Bool
  }

  /// The parameters, in sorted order or in the order they were appended.
  private(set) var entries: [Entry] = []
  private var bytes: ByteBuffer
  /// The table that orders the parameters. The static variable would be a call at each comparison.
  private let table = PercentTable.once

  /// - Parameter capacity: the number of bytes to allocate memory for.
  init(capacity: Int = 1_024) { bytes = ByteBuffer(capacity: capacity) }

  /// The total length of all names and values in bytes.
  var byteCount: Int { bytes.count }

  /// The number of bytes and entries for which memory is allocated.
  var capacity: Int { bytes.capacity + entries.capacity }

  mutating func removeAll() {
    bytes.removeAll()
    entries.removeAll(keepingCapacity: entries.capacity <= 1_024)
  }

  @inline(__always)
  func name(_ entry: Entry) -> UnsafeBufferPointer<UInt8> { unsafe bytes.contents(from: entry.name, to: entry.value) }

  @inline(__always)
  func value(_ entry: Entry) -> UnsafeBufferPointer<UInt8> { unsafe bytes.contents(from: entry.value, to: entry.end) }

  /// Copies of all parameters in their current order.
  var parameters: [OAuth.Parameter] { entries.map { parameter($0) } }

  /// Copies of the parameters that are sent in the header.
  var sentParameters: [OAuth.Parameter] { entries.filter(\.isSent).map { parameter($0) } }

  private func parameter(_ entry: Entry) -> OAuth.Parameter {
    unsafe OAuth.Parameter(name: Array(name(entry)), value: Array(value(entry)))
  }

  /// Describes a parameter that was written to the buffer.
  struct Written {
    /// The length of the name in bytes; the remaining bytes are the value.
    let nameCount: Int
    let isPlain: Bool
  }

  /// Appends a parameter. `write` writes the name and then the value, with at most `limit` bytes in total.
  @inline(__always)
  mutating func append(atMost limit: Int, isSent: Bool, _ write: (inout ByteCursor) -> Written) {
    let start = bytes.count
    var written = Written(nameCount: 0, isPlain: false)
    bytes.append(atMost: limit) { written = write(&$0) }
    entries.append(
      Entry(
        name: start, value: start + written.nameCount, end: bytes.count, isSent: isSent, isPlain: written.isPlain))
  }

  mutating func append(_ parameter: OAuth.Parameter, isSent: Bool) {
    let (name, value) = (parameter.name.span, parameter.value.span)
    append(atMost: name.count + value.count, isSent: isSent) { cursor in
      unsafe name.withUnsafeBufferPointer { unsafe cursor.put($0) }
      unsafe value.withUnsafeBufferPointer { unsafe cursor.put($0) }
      return Written(nameCount: name.count, isPlain: false)
    }
  }

  mutating func append(_ parameters: [OAuth.Parameter], isSent: Bool = false) {
    for parameter in parameters { append(parameter, isSent: isSent) }
  }

  /// Sorts by encoded name, then by encoded value. Duplicates are preserved.
  ///
  /// - Parameter done: the number of parameters at the start that are already sorted.
  mutating func sort(after done: Int = 0) {
    guard let bytes = unsafe bytes.contents.baseAddress else { return }
    // Insertion sort suits the few parameters of most requests.
    let table = table
    guard entries.count <= 32 else { return entries.sort { unsafe Self.precedes($0, $1, in: bytes, by: table) } }
    unsafe entries.withUnsafeMutableBufferPointer { entries in
      for index in entries.indices.dropFirst(max(1, done)) {
        _ = unsafe Self.settle(index, of: entries, in: bytes, by: table)
      }
    }
  }

  /// Inserts a parameter into a sorted list.
  ///
  /// - Returns: the index of its entry.
  mutating func insertSorted(atMost limit: Int, isSent: Bool, _ write: (inout ByteCursor) -> Written) -> Int {
    append(atMost: limit, isSent: isSent, write)
    guard let bytes = unsafe bytes.contents.baseAddress else { return 0 }
    let table = table
    return unsafe entries.withUnsafeMutableBufferPointer {
      unsafe Self.settle($0.count - 1, of: $0, in: bytes, by: table)
    }
  }

  /// Moves an entry forward to its position among the sorted entries before it.
  @inline(__always)
  private static func settle(
    _ index: Int, of entries: UnsafeMutableBufferPointer<Entry>, in bytes: UnsafePointer<UInt8>, by table: PercentTable
  ) -> Int {
    let entry = unsafe entries[index]
    var index = index
    while index > 0, unsafe precedes(entry, entries[index - 1], in: bytes, by: table) {
      unsafe entries[index] = entries[index - 1]
      index -= 1
    }
    unsafe entries[index] = entry
    return index
  }

  @inline(__always)
  private static func precedes(
    _ left: Entry, _ right: Entry, in bytes: UnsafePointer<UInt8>, by table: PercentTable
  ) -> Bool {
    @inline(__always)
    func part(_ start: Int, _ end: Int) -> UnsafeBufferPointer<UInt8> {
      unsafe UnsafeBufferPointer(start: bytes + start, count: end - start)
    }
    let order = unsafe EncodedOrder.compare(part(left.name, left.value), part(right.name, right.value), by: table)
    if order != 0 { return order < 0 }
    return unsafe EncodedOrder.compare(part(left.value, left.end), part(right.value, right.end), by: table) < 0
  }
}

/// The order of parameters in a signature (RFC 5849 §3.4.1.3.2): by encoded name, then by encoded value, byte by byte.
///
/// The order is determined from the first differing byte, without encoding. Two unreserved bytes are compared directly. Two escaped bytes
/// are also compared directly, because their `%XX` forms have the same order. An escaped byte sorts before an unreserved one, because `%`
/// sorts before every unreserved byte. A prefix sorts before a longer text.
enum EncodedOrder {
  /// Returns a negative number if the left bytes sort before the right bytes, zero if they are equal, and a positive number otherwise.
  @inline(__always)
  static func compare(
    _ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>, by table: PercentTable
  ) -> Int {
    var index = 0
    let common = min(left.count, right.count)
    while index < common {
      let (a, b) = unsafe (left[index], right[index])
      if a != b { return table.rank(a) - table.rank(b) }
      index += 1
    }
    return left.count - right.count
  }
}

extension ParameterList {
  /// The name of a protocol parameter that would be sent more than once (RFC 5849 §3.1); nil if there is none. The list must be sorted.
  /// Even a single `oauth_signature` counts as a duplicate, because the signature is added later.
  var duplicateProtocolParameter: String? {
    for index in entries.indices {
      let name = unsafe name(entries[index])
      let isDoubled = unsafe index > 0 && Self.areEqual(name, self.name(entries[index - 1]))
      guard unsafe isDoubled || Self.areEqual(name, Self.bytes(Self.signatureName)) else { continue }
      guard unsafe name.starts(with: Self.bytes(Self.prefix)) else { continue }
      return unsafe String(decoding: name, as: UTF8.self)
    }
    return nil
  }

  /// Inserts a signature into a sorted list.
  ///
  /// - Returns: the index of its entry.
  mutating func insertSignature(_ text: Span<UInt8>) -> Int {
    insertSorted(atMost: Self.signatureName.utf8CodeUnitCount + text.count, isSent: true) { cursor in
      cursor.put(Self.signatureName)
      unsafe text.withUnsafeBufferPointer { unsafe cursor.put($0) }
      return Written(nameCount: Self.signatureName.utf8CodeUnitCount, isPlain: false)
    }
  }

  /// Inserts a signature in Base64 into a sorted list.
  ///
  /// - Returns: the index of its entry.
  mutating func insertSignature(base64Of code: Span<UInt8>) -> Int {
    insertSorted(atMost: Self.signatureName.utf8CodeUnitCount + Base64.count(of: code.count), isSent: true) { cursor in
      cursor.put(Self.signatureName)
      unsafe cursor.put(Base64.count(of: code.count)) { unsafe Base64.write(code, to: $0) }
      return Written(nameCount: Self.signatureName.utf8CodeUnitCount, isPlain: false)
    }
  }

  private static let prefix: StaticString = "oauth_"
  private static let signatureName: StaticString = "oauth_signature"

  /// Returns whether two names are equal. The lengths are compared first, because most names differ in length.
  @inline(__always)
  private static func areEqual(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
    unsafe left.count == right.count && left.elementsEqual(right)
  }

  @inline(__always)
  private static func bytes(_ text: StaticString) -> UnsafeBufferPointer<UInt8> {
    unsafe UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
  }
}
