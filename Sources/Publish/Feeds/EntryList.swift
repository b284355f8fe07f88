/// The entries of a file that has one for each post, newest first.
package struct EntryList: Sendable {
  /// All entries, with what the format has between two.
  package private(set) var bytes: [UInt8] = []
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
