internal import Glibc
internal import JSON

/// Posts as they stand in `home_timeline.json`: newest first, each a line of JSON.
package struct PostLines: Sendable {
  /// All lines, with `,` and a line feed between two.
  package private(set) var bytes: [UInt8] = []
  /// Where in `bytes` each line ends.
  private var ends: [Int] = []

  /// What stands in the file behind the last line's line feed.
  static let ending = Array("]}\n".utf8)

  package init() {}

  package init(_ lines: some Sequence<[UInt8]>) {
    for line in lines { append { $0 += line } }
  }

  /// The lines of a file of ours.
  /// - Parameter start: where its list of posts begins, behind the bracket.
  /// - Returns: `nil` where it does not end as one of ours does.
  package init?(file: [UInt8], from start: Int) {
    let end = file.count - Self.ending.count
    guard start <= end, file[end...].elementsEqual(Self.ending) else { return nil }
    // A line feed stands in front of the first line and behind the last one; of no posts there is none.
    guard start < end else { return }
    guard file[start] == 0x0a, file[end - 1] == 0x0a, start + 1 < end else { return nil }
    bytes = Array(file[start + 1..<end - 1])
    guard let ends = Self.ends(in: bytes) else { return nil }
    self.ends = ends
  }

  /// Where the lines end that have `,` and a line feed between two; `nil` where one has no comma.
  private static func ends(in bytes: [UInt8]) -> [Int]? {
    // memchr(3) reads a file of megabytes several times as fast as a loop over its bytes.
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

  /// Adds a line; characters that a terminal would act on are escaped in it, whoever wrote it.
  /// - Parameter write: appends it to the bytes that it is given.
  package mutating func append(_ write: (inout [UInt8]) -> Void) {
    if !ends.isEmpty { bytes += [UInt8(ascii: ","), 0x0a] }
    let start = bytes.count
    write(&bytes)
    VisibleJSON.escape(&bytes, from: start)
    ends.append(bytes.count)
  }

  /// Adds some of the lines of others, in one piece.
  package mutating func append(_ range: Range<Int>, of others: PostLines) {
    guard !range.isEmpty else { return }
    if !ends.isEmpty { bytes += [UInt8(ascii: ","), 0x0a] }
    let begin = others.start(of: range.lowerBound)
    let shift = bytes.count - begin
    bytes += others.bytes[begin..<others.ends[range.upperBound - 1]]
    ends += others.ends[range].map { $0 + shift }
  }

  /// Each line with a line feed behind it and nothing else between them.
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
