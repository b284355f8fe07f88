package import Commands
internal import Folders
internal import Formats
package import Platform
package import Settings
package import TerminalText
internal import Time

/// Prints the newest posts of published files, with a note if they are stale.
package struct NewestPosts {
  private let arguments: Command.Show
  /// The timelines; several are merged by time.
  private let timelines: ShownTimelines
  private let now: Timestamp
  private let writer: ShownPostWriter
  private let threads: Threads?
  /// The configuration, which is read only if a file is missing.
  private let configuration: ConfigurationFiles

  /// Writes posts as threads, with answered posts from the archives.
  package typealias Threads = (ShownPostWriter, [ShownPost]) throws(CommandError) -> ProgramOutput

  /// Runs `homeline show`.
  /// - Parameters:
  ///   - hash: Returns the SHA-256 of bytes. Called before anything is printed, and only for a timeline with a long name.
  ///   - threads: Used for `--threads`.
  package static func show(
    for arguments: Command.Show, in context: CommandContext, hash: @escaping PublishedFiles.Hash,
    threads: Threads? = nil
  ) throws(CommandError) -> ExitCode {
    let files = try context.publishedFiles(hash: hash)
    let configuration = try context.configurationFiles()
    let timelines = try files.timelines(
      account: arguments.account, view: arguments.view, mergesAll: arguments.mergesAll, waits: arguments.follows,
      configuration)
    let environment = context.environment
    if arguments.follows {
      return try TimelineFollower(arguments, of: timelines, among: files) { now in
        environment.postWriter(for: arguments, at: now)
      }.run()
    }
    let now = WallClock.system.now
    let posts = NewestPosts(
      arguments: arguments, timelines: timelines, now: now, writer: environment.postWriter(for: arguments, at: now),
      threads: arguments.showsThreads ? threads : nil, configuration: configuration)
    return try context.write(try posts.output(), isPaged: arguments.usesPager)
  }

  /// Returns the output of the command.
  /// - Throws: `CommandError` if the only file cannot be read. If there are several files, the remaining files are shown and the failure is
  ///   noted.
  private func output() throws(CommandError) -> CommandOutput {
    var posts: [ShownPost] = []
    var notes: [String] = []
    var code = ExitCode.done
    for source in timelines.sources {
      do throws(CommandError) {
        // In a view, read and unread posts are mixed.
        let limit = arguments.onlyUnread && source.isView ? .max : arguments.limit
        guard let file = try PublishedFile.read(source.path, limit: limit) else {
          throw source.missing(try? configuration.load())
        }
        let places = file.posts.indices.filter { !arguments.onlyUnread || file.isUnread($0) }.prefix(arguments.limit)
        notes += self.notes(about: file, of: source, isEmpty: places.isEmpty)
        posts += ShownPost.posts(at: places, of: file, in: source, isOneOfMany: timelines.isMerged)
      } catch {
        if !timelines.isMerged { throw error }
        notes.append(error.message)
        code = code.worse(error.exitCode)
      }
    }
    let shown = timelines.sources.count == 1 ? posts : Array(ShownPost.merged(posts).prefix(arguments.limit))
    guard let threads else {
      return CommandOutput(writer.output(of: shown), notes: notes, code: code)
    }
    if shown.contains(where: \.hasGapBelow) { notes.append("posts may be missing between these posts") }
    return CommandOutput(try threads(writer, shown), notes: notes, code: code)
  }

  private func notes(about file: TimelineFile, of source: ShownSource, isEmpty: Bool) -> [String] {
    var notes = file.head.isStale(at: now) ? [file.head.stalenessLine] : []
    if isEmpty { notes.append("\(source.name): \(file.posts.isEmpty ? "no posts" : "no unread posts")") }
    return notes
  }
}

extension ShownSource {
  /// Returns the error for a missing file.
  /// - Parameter configuration: nil if it cannot be read.
  package func missing(_ configuration: Configuration?) -> CommandError {
    let accounts = configuration?.accounts.map(\.name) ?? []
    if let account, configuration != nil, !accounts.contains(account) {
      return CommandError(AccountChoiceError.unknown(account.text, accounts))
    }
    let remedy =
      if let account {
        isHome ? "To start: homeline login \(account)" : "To fetch it: homeline refresh \(argument)"
      } else if let views = configuration?.views.map(\.name.text),
        !views.contains(name)
      {
        "The configuration has no such view\(DisplayText.suggestion(for: name, among: views))"
      } else { "To publish it: homeline refresh" }
    return CommandError(
      .notAuthorised,
      "\(isView ? "the view " : "")\(name): nothing has been published yet (\(path) does not exist). \(remedy)")
  }

  private var isHome: Bool { account.map { origin == .timeline(.home(of: $0)) } ?? false }
}
