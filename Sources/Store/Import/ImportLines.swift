internal import JSON
internal import Platform
internal import Publish

/// Posts line by line; empty lines are left out.
struct ImportLines: ~Copyable {
  /// How long a line of somebody else's file may be, in bytes.
  static let limit = 1 << 20
  /// How long one may be that was checked: written anew it can be longer, since all names are there.
  static let stagedLimit = 4 << 20

  private var reader: LineReader
  private let file: String
  /// The number of the line that was read last, from 1.
  private(set) var number: Int

  init(_ reader: consuming LineReader, file: String, after number: Int = 0) {
    self.reader = reader
    self.file = file
    self.number = number
  }

  /// How far the file was read, in bytes.
  var offset: Int { reader.offset }

  /// The next post; `nil` at the end.
  mutating func next() throws(ImportError) -> ImportedPost? {
    while let line = try nextLine() {
      number += 1
      if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0d }) { continue }
      do { return try ImportedPost(line: line) } catch { throw .line(file, number, Self.words(of: error)) }
    }
    return nil
  }

  private mutating func nextLine() throws(ImportError) -> [UInt8]? {
    do throws(LineReader.Failure) { return try reader.next() } catch {
      switch error {
      case .system(let error): throw .system(error.about(file))
      case .tooLong: throw .line(file, number + 1, "the line is too long, more than \(reader.limit) bytes")
      }
    }
  }

  /// What is wrong, with the column alone: the line is told by who knows it.
  private static func words(of error: any Error) -> String {
    switch error {
    case let error as JSONError: return "column \(error.place.column): \(error.reason)"
    case PublishedFormatError.malformed(let error): return "column \(error.place.column): \(error.reason)"
    case PublishedFormatError.missing(let name, let place): return "column \(place.column): '\(name)' is missing"
    case PublishedFormatError.meaningless(let name, let expected, let place):
      return "column \(place.column): '\(name)' should be \(expected)"
    default: return "\(error)"
    }
  }
}
