internal import Commands
internal import Glibc
internal import LocalCommands
internal import Platform
internal import Settings
internal import Storage
internal import TerminalText

extension Command.Export: LocalCommand {
  /// Writes while reading, because an archive can be larger than memory.
  func run(in context: CommandContext) throws(CommandError) -> ExitCode {
    let archives = try context.archives()
    let configuration = try context.configurationFiles()
    let named = self.account
    let account = try archives.account(named?.account, configuration)
    let scope: ArchiveScope =
      try archives.timeline(named, configuration).map { .timeline($0) }
      ?? (includesPrivate ? .everything : .withoutPrivate)
    do {
      let leftOut = try ArchiveExport(arguments: self, account: account, scope: scope, archives: archives).run {
        try Terminal.answer(.data(format == .csv ? OutputData(table: $0) : OutputData(json: $0)))
      }
      if let leftOut { Terminal.say("homeline: \(account): \(leftOut)") }
      return .done
    } catch let error as CommandError {
      throw error
    } catch let error as SystemError {
      if error.code == EPIPE { return .inputOutput }
      throw CommandError(error)
    } catch { preconditionFailure("an export throws two kinds of errors") }
  }
}

/// Writes all posts of an archive in batches, newest first.
struct ArchiveExport {
  let arguments: Command.Export
  let account: AccountName
  let scope: ArchiveScope
  let archives: Archives

  /// The size of a write in bytes.
  private static let portion = 256 << 10

  /// Runs the export.
  /// - Parameter write: Writes to standard output. An error ends the export.
  /// - Returns: a sentence about what the table leaves out; nil if nothing.
  /// - Throws: `CommandError`, or the error of `write`.
  func run(_ write: ([UInt8]) throws -> Void) throws -> String? {
    let database = try archives.open(account)
    defer { database.close() }
    var writer = ExportWriter(arguments.format)
    var line = ProgressLine()
    defer { line.clear() }
    do {
      // On a terminal, the posts themselves show the progress.
      let total =
        try ProgressLine.isVisible && !Terminal.outputIsTerminal
        ? database.countOfExported(since: arguments.since, until: arguments.until, in: scope) : nil
      var done = 0
      try database.export(since: arguments.since, until: arguments.until, in: scope) { post in
        writer.append(post)
        done += 1
        guard writer.bytes.count >= Self.portion else { return }
        try write(writer.take())
        guard let total else { return }
        let unit = ProgressLine.Unit.things(one: "post exported", many: "posts exported")
        line.show(ProgressLine.Job(account.text, unit, done: done, of: total))
      }
    } catch let error as StorageError { throw Archives.failure(error) }
    writer.finish()
    try write(writer.take())
    return Self.sentence(writer.leftOut)
  }

  private static func sentence(_ leftOut: (events: Int, filtered: Int)) -> String? {
    func counted(_ count: Int, _ one: String, _ many: String) -> String? {
      count == 0 ? nil : "\(count) \(count == 1 ? one : many)"
    }
    let parts = [
      counted(leftOut.events, "notification without a post", "notifications without a post"),
      counted(leftOut.filtered, "post hidden by your filters", "posts hidden by your filters"),
    ].compactMap { $0 }
    if parts.isEmpty { return nil }
    return "the table leaves out \(parts.joined(separator: " and ")); --format jsonl includes them"
  }
}
