internal import Glibc
internal import Platform
internal import Storage

/// A file with posts to import. It is checked completely before any post is imported.
package enum ImportFile {
  /// Checks a file and writes its posts as export lines to a private file (mode 0600), replacing any existing one.
  ///
  /// The file may contain lines from `homeline export` or `home_timeline.jsonl`, of at most one mebibyte each, or be a twitter-to-sqlite
  /// database.
  /// - Parameters:
  ///   - file: the file; `-` is standard input, which can only contain lines.
  ///   - path: the private file. Its folder must exist. After an error it is unchanged.
  ///   - tell: called from time to time with the number of bytes that have been read, and the size of the file; not called for a database
  ///     or for standard input.
  /// - Returns: the number of posts.
  package static func stage(
    _ file: String, to path: String, tell: (_ done: Int, _ of: Int) -> Void = { _, _ in }
  ) throws(ImportError) -> Int {
    var staging: StagingFile
    do throws(SystemError) { staging = try StagingFile(path) } catch { throw .system(error) }
    do throws(ImportError) {
      let count = try copy(file, to: &staging, tell)
      do throws(SystemError) { try staging.finish() } catch { throw ImportError.system(error) }
      return count
    } catch {
      staging.abandon()
      throw error
    }
  }

  /// The first bytes of a database (sqlite.org/fileformat2.html#magic_header_string).
  private static let magic = Array("SQLite format 3\0".utf8)

  /// The number of posts between two calls of `tell`.
  private static let step = 200

  private static func copy(
    _ file: String, to staging: inout StagingFile, _ tell: (Int, Int) -> Void
  ) throws(ImportError) -> Int {
    let isStandardInput = file == "-"
    var reader = try reader(of: file)
    let isDatabase: Bool
    do throws(LineReader.ReadError) { isDatabase = try reader.begins(with: magic) } catch {
      guard case .system(let error) = error else { preconditionFailure("no lines were read") }
      throw .system(error.about(file))
    }
    if isDatabase {
      if isStandardInput { throw .databaseOnStandardInput }
      return try copy(database: file, to: &staging)
    }
    var lines = ImportLines(reader, file: isStandardInput ? "standard input" : file)
    let size = isStandardInput ? 0 : (try? FileStatus.of(file).size) ?? 0
    var count = 0
    while let post = try lines.next() {
      try append(post, to: &staging)
      count += 1
      if size > 0, count.isMultiple(of: step) { tell(lines.offset, size) }
    }
    return count
  }

  /// The maximum size of the export lines relative to the database. A short tweet grows tenfold.
  private static let growth = 32

  private static func copy(database file: String, to staging: inout StagingFile) throws(ImportError) -> Int {
    var remainingBytes: Int
    do throws(SystemError) { remainingBytes = try FileStatus.of(file).size * growth } catch { throw .system(error) }
    return try TwitterToSQLite.copy(file) { post throws(ImportError) in
      let line = post.line
      remainingBytes -= line.count
      guard remainingBytes >= 0 else {
        throw .unfitDatabase(
          file,
          "once imported, the posts would take more than \(growth) times the size of the file: some names or posts are too long"
        )
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

/// A file with mode 0600 written under a temporary name and renamed when it is complete (`rename(2)`).
struct StagingFile: ~Copyable {
  private let path: String
  private let new: String
  private let descriptor: Descriptor
  private var buffer: [UInt8] = []

  init(_ path: String) throws(SystemError) {
    self.path = path
    new = "\(path).new-\(getpid())"
    try File.remove(new)
    descriptor = try Descriptor.open(new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
  }

  mutating func append(line: [UInt8]) throws(SystemError) {
    buffer += line
    buffer.append(UInt8(ascii: "\n"))
    if buffer.count > 256 << 10 { try flush() }
  }

  private mutating func flush() throws(SystemError) {
    do throws(SystemError) { try descriptor.write(buffer) } catch { throw error.about(path) }
    buffer = []
  }

  mutating func finish() throws(SystemError) {
    try flush()
    do throws(SystemError) { try descriptor.sync() } catch { throw error.about(path) }
    try File.rename(new, to: path)
  }

  /// Removes the file.
  func abandon() { try? File.remove(new) }
}
