internal import Glibc
internal import JSON
internal import Platform
internal import Publish
internal import Storage

/// A file with posts from elsewhere, read whole before anything of it is taken.
package enum ImportFile {
  /// Checks a file and writes what it has, as lines of ours, to a private one (mode 0600) that replaces what stands there.
  ///
  /// It may be lines as `homeline export` and `home_timeline.jsonl` have them, of at most a mebibyte each, or the database of
  /// twitter-to-sqlite.
  /// - Parameters:
  ///   - file: `-` is standard input, for lines alone.
  ///   - path: in a folder that is there. After any error there is nothing at it that was not before.
  /// - Returns: how many posts it has.
  package static func stage(_ file: String, to path: String) throws(ImportError) -> Int {
    var staging: StagingFile
    do throws(SystemError) { staging = try StagingFile(path) } catch { throw .system(error) }
    do throws(ImportError) {
      let count = try copy(file, to: &staging)
      do throws(SystemError) { try staging.finish() } catch { throw ImportError.system(error) }
      return count
    } catch {
      staging.abandon()
      throw error
    }
  }

  /// What a database begins with (sqlite.org/fileformat2.html#magic_header_string).
  private static let magic = Array("SQLite format 3\0".utf8)

  private static func copy(_ file: String, to staging: inout StagingFile) throws(ImportError) -> Int {
    let isStandardInput = file == "-"
    var reader = try reader(of: file)
    let isDatabase: Bool
    do throws(LineReader.Failure) { isDatabase = try reader.begins(with: magic) } catch {
      guard case .system(let error) = error else { preconditionFailure("no line was read") }
      throw .system(error.about(file))
    }
    if isDatabase {
      if isStandardInput { throw .databaseOnStandardInput }
      return try copy(database: file, to: &staging)
    }
    var lines = ImportLines(reader, file: isStandardInput ? "standard input" : file)
    var count = 0
    while let post = try lines.next() {
      try append(post, to: &staging)
      count += 1
    }
    return count
  }

  /// How many times as long as the database its posts may be as lines of ours: a short tweet becomes ten times as long.
  private static let growth = 32

  private static func copy(database file: String, to staging: inout StagingFile) throws(ImportError) -> Int {
    var room: Int
    do throws(SystemError) { room = try FileStatus.of(file).size * growth } catch { throw .system(error) }
    return try TwitterToSQLite.copy(file) { post throws(ImportError) in
      let line = post.line
      room -= line.count
      guard room >= 0 else {
        throw .unfitDatabase(
          file,
          "its posts are more than \(growth) times as long as the file: names or texts of it are longer than any are")
      }
      do throws(SystemError) { try staging.append(line: line) } catch { throw .system(error) }
    }
  }

  private static func append(_ post: ImportedPost, to staging: inout StagingFile) throws(ImportError) {
    do throws(SystemError) { try staging.append(line: post.line) } catch { throw .system(error) }
  }

  private static func reader(of file: String) throws(ImportError) -> LineReader {
    do throws(SystemError) {
      if file == "-" { return try LineReader.standardInput(limit: ImportLines.limit) }
      return try LineReader(Descriptor.open(file, O_RDONLY), limit: ImportLines.limit)
    } catch { throw .system(error) }
  }
}

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
    case let error as JSONError: return "column \(error.position.column): \(error.reason)"
    case PublishedFormatError.malformed(let error): return "column \(error.position.column): \(error.reason)"
    case PublishedFormatError.missing(let name, let place): return "column \(place.column): '\(name)' is missing"
    case PublishedFormatError.meaningless(let name, let expected, let place):
      return "column \(place.column): '\(name)' should be \(expected)"
    default: return "\(error)"
    }
  }
}
