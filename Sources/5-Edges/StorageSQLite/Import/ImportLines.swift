internal import JSON
internal import Platform
internal import Storage
internal import Timeline

/// Reads posts line by line and skips empty lines.
struct ImportLines: ~Copyable {
  /// The maximum length in bytes of a line in an imported file.
  static let limit = 1 << 20
  /// The maximum length of a checked line. It can be longer than the original, because it contains every member.
  static let stagedLimit = 4 << 20

  private var reader: LineReader
  private let file: String
  /// The number of the last line read, from 1.
  private(set) var number: Int

  init(_ reader: consuming LineReader, file: String, after number: Int = 0) {
    self.reader = reader
    self.file = file
    self.number = number
  }

  /// The number of bytes read.
  var offset: Int { reader.offset }

  /// Returns the next post; `nil` at the end.
  mutating func next() throws(ImportError) -> ImportedPost? {
    while let line = try nextLine() {
      number += 1
      if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0d }) { continue }
      do { return try ImportedPost(line: line) } catch { throw .line(file, number, Self.message(for: error)) }
    }
    return nil
  }

  private mutating func nextLine() throws(ImportError) -> [UInt8]? {
    do throws(LineReader.ReadError) { return try reader.next() } catch {
      switch error {
      case .system(let error): throw .system(error.about(file))
      case .tooLong: throw .line(file, number + 1, "the line is too long: more than \(reader.limit) bytes")
      }
    }
  }

  /// Describes the error by column only. The caller adds the line number.
  private static func message(for error: any Error) -> String {
    switch error {
    case let error as JSONError: return "column \(error.position.column): \(error.reason)"
    case PublishedFormatError.malformed(let error): return "column \(error.position.column): \(error.reason)"
    case PublishedFormatError.missing(let name, let place): return "column \(place.column): '\(name)' is missing"
    case PublishedFormatError.meaningless(let name, let expected, let place):
      return "column \(place.column): '\(name)' should be \(expected)"
    default: return "\(error)"
    }
  }
}
