internal import Timeline

/// A format that is a beginning, an entry for each post and an end, so that entries can be taken from the file as it was before.
///
/// Of the same post it is the same entry at any time, whether it is unread aside.
protocol EntryFormat {
  /// Where in a file of this format each entry begins.
  static func places(in file: [UInt8]) -> [Int]
  /// What stands between two entries.
  static var separator: [UInt8] { get }
  static var end: [UInt8] { get }

  static func beginning(_ head: TimelineHead, _ entries: EntryList) -> [UInt8]
  static func entry(of post: PublishedPost) -> [UInt8]
}

extension EntryFormat {
  static func bytes(of publication: Publication) -> [UInt8] {
    var entries = EntryList(separator: separator)
    for post in publication.posts { entries.append(entry(of: post)) }
    return file(publication.head, entries)
  }

  static func file(_ head: TimelineHead, _ entries: EntryList) -> [UInt8] {
    let beginning = beginning(head, entries)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(beginning.count + entries.bytes.count + end.count)
    bytes += beginning
    bytes += entries.bytes
    bytes += end
    return bytes
  }

  /// Where a sequence of bytes begins, each time.
  static func places(of opening: [UInt8], in file: [UInt8]) -> [Int] {
    var places: [Int] = []
    var place = 0
    while let next = file[place...].firstIndex(of: opening[0]) {
      if file[next...].starts(with: opening) { places.append(next) }
      place = next + 1
    }
    return places
  }
}

/// The entries of a file that has one for each post, newest first.
package struct EntryList: Sendable {
  /// All entries, with what the format has between two.
  private(set) var bytes: [UInt8] = []
  /// Where in `bytes` each entry begins.
  private var starts: [Int] = []
  private let separator: [UInt8]

  init(separator: [UInt8]) { self.separator = separator }

  package var count: Int { starts.count }

  package subscript(_ index: Int) -> ArraySlice<UInt8> {
    bytes[starts[index]..<(index + 1 < starts.count ? starts[index + 1] - separator.count : bytes.count)]
  }

  mutating func append(_ entry: [UInt8]) {
    if !starts.isEmpty { bytes += separator }
    starts.append(bytes.count)
    bytes += entry
  }

  /// Adds some of the entries of a file as it lies there.
  /// - Parameters:
  ///   - places: where each entry begins, newest first, and behind them where the last one ends and its separator would.
  mutating func append(_ range: Range<Int>, of file: [UInt8], at places: [Int]) {
    guard !range.isEmpty else { return }
    if !starts.isEmpty { bytes += separator }
    let begin = places[range.lowerBound]
    let shift = bytes.count - begin
    starts += places[range].map { $0 + shift }
    bytes += file[begin..<places[range.upperBound] - separator.count]
  }
}
