internal import Commands
internal import Platform
internal import Publish
internal import Settings
internal import Store

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
