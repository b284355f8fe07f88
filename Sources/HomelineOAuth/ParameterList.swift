/// A request's parameters, decoded, one behind another in one piece of memory: what is signed is collected, sorted and written from here.
///
/// It is kept between signatures, so that none of them asks for memory.
struct ParameterList: ~Copyable {
  /// Where a parameter lies.
  struct Entry {
    fileprivate(set) var name: Int
    fileprivate(set) var value: Int
    fileprivate(set) var end: Int
    /// Whether it travels in the Authorization header.
    let isSent: Bool
    /// Whether name and value are known to be the same when encoded. False says nothing.
    let isPlain: Bool
  }

  /// The parameters in the order they came, or sorted.
  private(set) var entries: [Entry] = []
  private var bytes = ByteBuffer(capacity: 1_024)

  /// How many bytes all names and values have together.
  var byteCount: Int { bytes.count }

  mutating func removeAll() {
    bytes.removeAll()
    entries.removeAll(keepingCapacity: entries.capacity <= 1_024)
  }

  @inline(__always)
  func name(_ entry: Entry) -> UnsafeBufferPointer<UInt8> { unsafe bytes.contents(from: entry.name, to: entry.value) }

  @inline(__always)
  func value(_ entry: Entry) -> UnsafeBufferPointer<UInt8> { unsafe bytes.contents(from: entry.value, to: entry.end) }

  /// Copies of all of them, in their order here.
  var parameters: [OAuth.Parameter] { entries.map { parameter($0) } }

  /// Copies of those that are sent.
  var sentParameters: [OAuth.Parameter] { entries.filter(\.isSent).map { parameter($0) } }

  private func parameter(_ entry: Entry) -> OAuth.Parameter {
    unsafe OAuth.Parameter(name: Array(name(entry)), value: Array(value(entry)))
  }

  /// What was written of a parameter.
  struct Written {
    /// How many bytes its name has; the rest is its value.
    let nameCount: Int
    let isPlain: Bool
  }

  /// Adds a parameter whose name and then value `write` puts into room for `limit` bytes.
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
    append(atMost: name.count + value.count, isSent: isSent) { place in
      unsafe name.withUnsafeBufferPointer { unsafe place.put($0) }
      unsafe value.withUnsafeBufferPointer { unsafe place.put($0) }
      return Written(nameCount: name.count, isPlain: false)
    }
  }

  mutating func append(_ parameters: [OAuth.Parameter], isSent: Bool = false) {
    for parameter in parameters { append(parameter, isSent: isSent) }
  }

  /// Sorts by encoded name, equal names by encoded value; duplicates stay.
  ///
  /// - Parameter done: how many of the first are sorted already.
  mutating func sort(behind done: Int = 0) {
    guard let bytes = unsafe bytes.contents.baseAddress else { return }
    // Each of a request's few is moved to its place among the protocol's; a thousand have to be divided.
    guard entries.count <= 32 else { return entries.sort { unsafe Self.precedes($0, $1, in: bytes) } }
    unsafe entries.withUnsafeMutableBufferPointer { entries in
      for index in entries.indices.dropFirst(max(1, done)) { _ = unsafe Self.settle(index, of: entries, in: bytes) }
    }
  }

  /// Adds one to a sorted list, in its place.
  ///
  /// - Returns: which of the entries it is.
  mutating func insertSorted(atMost limit: Int, isSent: Bool, _ write: (inout ByteCursor) -> Written) -> Int {
    append(atMost: limit, isSent: isSent, write)
    guard let bytes = unsafe bytes.contents.baseAddress else { return 0 }
    return unsafe entries.withUnsafeMutableBufferPointer { unsafe Self.settle($0.count - 1, of: $0, in: bytes) }
  }

  /// Moves an entry before those of the sorted ones in front of it that come behind it.
  @inline(__always)
  private static func settle(
    _ index: Int, of entries: UnsafeMutableBufferPointer<Entry>, in bytes: UnsafePointer<UInt8>
  ) -> Int {
    let entry = unsafe entries[index]
    var index = index
    while index > 0, unsafe precedes(entry, entries[index - 1], in: bytes) {
      unsafe entries[index] = entries[index - 1]
      index -= 1
    }
    unsafe entries[index] = entry
    return index
  }

  @inline(__always)
  private static func precedes(_ left: Entry, _ right: Entry, in bytes: UnsafePointer<UInt8>) -> Bool {
    @inline(__always)
    func part(_ start: Int, _ end: Int) -> UnsafeBufferPointer<UInt8> {
      unsafe UnsafeBufferPointer(start: bytes + start, count: end - start)
    }
    let order = unsafe EncodedOrder.compare(part(left.name, left.value), part(right.name, right.value))
    if order != 0 { return order < 0 }
    return unsafe EncodedOrder.compare(part(left.value, left.end), part(right.value, right.end)) < 0
  }
}

/// The order in which a signature takes parameters (RFC 5849 §3.4.1.3.2): by encoded name, equal names by encoded value, byte by byte.
///
/// It is told from the bytes before they are encoded, by the first in which two differ. Either both are unreserved, and stand for themselves;
/// or both are escaped, and `%XX` sorts as the byte; or one is, and `%` sorts before every unreserved byte. What ends first comes first,
/// encoded or not.
enum EncodedOrder {
  /// Below, at or above zero as the left bytes come before the right ones, are the same, or come behind.
  @inline(__always)
  static func compare(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Int {
    var index = 0
    let common = min(left.count, right.count)
    while index < common {
      let (a, b) = unsafe (left[index], right[index])
      if a != b {
        let table = PercentTable.once
        return table.rank(a) - table.rank(b)
      }
      index += 1
    }
    return left.count - right.count
  }
}

extension ParameterList {
  /// The name of a protocol parameter that would be sent twice (RFC 5849 §3.1), in a list that is sorted. The signature is one when
  /// it is there at all: another will stand beside it.
  var doubledProtocolParameter: String? {
    for index in entries.indices {
      let name = unsafe name(entries[index])
      let isDoubled = unsafe index > 0 && Self.areEqual(name, self.name(entries[index - 1]))
      guard unsafe isDoubled || Self.areEqual(name, Self.bytes(Self.signatureName)) else { continue }
      guard unsafe name.starts(with: Self.bytes(Self.prefix)) else { continue }
      return unsafe String(decoding: name, as: UTF8.self)
    }
    return nil
  }

  /// Adds the signature to a sorted list, as it is.
  ///
  /// - Returns: which of the entries it is.
  mutating func insertSignature(_ text: Span<UInt8>) -> Int {
    insertSorted(atMost: Self.signatureName.utf8CodeUnitCount + text.count, isSent: true) { place in
      place.put(Self.signatureName)
      unsafe text.withUnsafeBufferPointer { unsafe place.put($0) }
      return Written(nameCount: Self.signatureName.utf8CodeUnitCount, isPlain: false)
    }
  }

  /// Adds the Base64 form of a code as the signature to a sorted list.
  ///
  /// - Returns: which of the entries it is.
  mutating func insertSignature(base64Of code: Span<UInt8>) -> Int {
    insertSorted(atMost: Self.signatureName.utf8CodeUnitCount + Base64.count(of: code.count), isSent: true) { place in
      place.put(Self.signatureName)
      Base64.write(code, to: &place)
      return Written(nameCount: Self.signatureName.utf8CodeUnitCount, isPlain: false)
    }
  }

  private static let prefix: StaticString = "oauth_"
  private static let signatureName: StaticString = "oauth_signature"

  /// Names mostly differ in their lengths already.
  @inline(__always)
  private static func areEqual(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
    unsafe left.count == right.count && left.elementsEqual(right)
  }

  @inline(__always)
  private static func bytes(_ text: StaticString) -> UnsafeBufferPointer<UInt8> {
    unsafe UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
  }
}
