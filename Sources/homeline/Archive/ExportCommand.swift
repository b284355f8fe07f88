internal import Commands
internal import Platform
internal import Publish
internal import Settings
internal import Store
internal import Timeline

/// `homeline export`: all that an archive keeps, the newest first, a little at a time.
struct ExportCommand {
  let arguments: Command.Export
  let account: AccountName
  let archives: Archives

  /// How much is written at once.
  private static let portion = 256 << 10

  /// - Parameter write: writes to standard output; what it throws ends the export.
  /// - Throws: `CommandFailure`, or what `write` throws.
  func run(_ write: ([UInt8]) throws -> Void) throws {
    let database = try archives.open(account)
    defer { database.close() }
    var writer = ExportWriter(arguments.format)
    do {
      try database.export(since: arguments.since, until: arguments.until) { post in
        writer.append(post)
        if writer.bytes.count >= Self.portion { try write(writer.take()) }
      }
    } catch let error as SQLiteError { throw Archives.failure(error) }
    writer.finish()
    try write(writer.take())
  }
}

/// Rows of an archive in one of the forms of an export.
struct ExportWriter {
  private let format: Command.Export.Format
  private(set) var bytes: [UInt8] = []
  private var isFirst = true

  init(_ format: Command.Export.Format) {
    self.format = format
    switch format {
    case .jsonl: break
    case .json: bytes.append(UInt8(ascii: "["))
    case .csv: bytes += Array(PostCSV.header.utf8)
    }
  }

  mutating func append(_ row: ArchivedPost) {
    switch format {
    case .jsonl: bytes += row.line + [UInt8(ascii: "\n")]
    case .json: bytes += (isFirst ? "\n" : ",\n").utf8 + row.line
    case .csv: bytes += Array(Self.cells(of: row).utf8)
    }
    isFirst = false
  }

  mutating func finish() {
    if format == .json { bytes += Array((isFirst ? "]\n" : "\n]\n").utf8) }
  }

  /// Hands out what was written since the last time.
  mutating func take() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  private static func cells(of row: ArchivedPost) -> String {
    guard let json = row.json, let post = try? PostJSON.read(json) else {
      return PostCSV.line(
        ofDeleted: row.mark.id, createdAt: row.createdAt, deletedAt: row.deletedAt)
    }
    return PostCSV.line(of: post)
  }
}
