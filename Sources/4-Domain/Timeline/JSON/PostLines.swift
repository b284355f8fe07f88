internal import Glibc
internal import JSON

/// The posts in `home_timeline.json`: newest first, one line of JSON each.
package struct PostLines: Sendable {
  /// All lines, separated by `,` and a line feed.
  package private(set) var bytes: [UInt8] = []
  /// The offset in `bytes` where each line ends.
  private var ends: [Int] = []

  /// The end of the file, after the line feed that follows the last line.
  package static let ending = Array("]}\n".utf8)

  package init() {}

  package init(_ lines: some Sequence<[UInt8]>) {
    for line in lines { append { $0 += line } }
  }

  /// Finds the lines of a published file.
  /// - Parameter start: the offset after the opening bracket of the list of posts.
  /// - Returns: `nil` if the file does not end like a file that this program writes.
  package init?(file: [UInt8], from start: Int) {
    let end = file.count - Self.ending.count
    guard start <= end, file[end...].elementsEqual(Self.ending) else { return nil }
    // A line feed precedes the first line and follows the last one. An empty list contains no line feed.
    guard start < end else { return }
    guard file[start] == 0x0a, file[end - 1] == 0x0a, start + 1 < end else { return nil }
    bytes = Array(file[start + 1..<end - 1])
    guard let ends = Self.ends(in: bytes) else { return nil }
    self.ends = ends
  }

  /// Returns where lines separated by `,` and a line feed end; `nil` if a comma is missing.
  private static func ends(in bytes: [UInt8]) -> [Int]? {
    // memchr(3) scans a file of several megabytes much faster than a loop over its bytes.
    unsafe bytes.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return [0] }
      var ends: [Int] = []
      var place = 0
      while let found = unsafe memchr(base + place, 0x0a, bytes.count - place) {
        let feed = unsafe base.distance(to: UnsafeRawPointer(found))
        guard feed > place, unsafe bytes[feed - 1] == UInt8(ascii: ",") else { return nil }
        ends.append(feed - 1)
        place = feed + 1
      }
      ends.append(bytes.count)
      return ends
    }
  }

  package var count: Int { ends.count }
  package var isEmpty: Bool { ends.isEmpty }

  package subscript(_ index: Int) -> ArraySlice<UInt8> { bytes[start(of: index)..<ends[index]] }

  /// Appends a line, escaping characters that could control a terminal.
  /// - Parameter write: appends the line to the given bytes.
  package mutating func append(_ write: (inout [UInt8]) -> Void) {
    if !ends.isEmpty { bytes += [UInt8(ascii: ","), 0x0a] }
    let start = bytes.count
    write(&bytes)
    VisibleJSON.escape(&bytes, from: start)
    ends.append(bytes.count)
  }

  /// Appends a range of lines from another list in one operation.
  package mutating func append(_ range: Range<Int>, of others: PostLines) {
    guard !range.isEmpty else { return }
    if !ends.isEmpty { bytes += [UInt8(ascii: ","), 0x0a] }
    let begin = others.start(of: range.lowerBound)
    let shift = bytes.count - begin
    bytes += others.bytes[begin..<others.ends[range.upperBound - 1]]
    ends += others.ends[range].map { $0 + shift }
  }

  /// The lines without commas, each followed by a line feed.
  package var separate: [UInt8] {
    var separate: [UInt8] = []
    separate.reserveCapacity(bytes.count)
    for index in 0..<count {
      separate += self[index]
      separate.append(0x0a)
    }
    return separate
  }

  package mutating func reserveCapacity(_ count: Int) { bytes.reserveCapacity(count) }

  private func start(of index: Int) -> Int { index == 0 ? 0 : ends[index - 1] + 2 }
}
