internal import CivilTime
internal import Commands
internal import ConfigurationStore
internal import Platform
internal import Publish
internal import Settings

extension Command.Show: LocalCommand {
  func run(in context: CommandContext) throws(CommandError) -> ExitCode {
    let files = try context.publishedFiles()
    let configuration = try context.configurationFiles()
    let timelines = try files.timelines(
      account: account, view: view, mergesAll: mergesAll, waits: follows, configuration)
    let environment = context.environment
    if follows {
      return try TimelineFollower(self, of: timelines, among: files) { now in
        environment.postWriter(for: self, at: now)
      }.run()
    }
    let now = WallClock.system.now
    let posts = NewestPosts(
      arguments: self, timelines: timelines, now: now, writer: environment.postWriter(for: self, at: now),
      archives: try context.archives(), configuration: configuration)
    return try context.write(try posts.output(), isPaged: usesPager)
  }
}

/// Prints the newest posts of published files, with a note if they are stale.
struct NewestPosts {
  let arguments: Command.Show
  /// The timelines; several are merged by time.
  let timelines: ShownTimelines
  let now: Timestamp
  let writer: ShownPostWriter
  /// The archives that contain the posts to which others reply.
  let archives: Archives
  /// The configuration, which is read only if a file is missing.
  let configuration: ConfigurationFiles

  /// Returns the output of the command.
  /// - Throws: `CommandError` if the only file cannot be read. If there are several files, the remaining files are shown and the failure is
  ///   noted.
  func output() throws(CommandError) -> CommandOutput {
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
    guard arguments.showsThreads else {
      return CommandOutput(writer.output(of: shown), notes: notes, code: code)
    }
    if shown.contains(where: \.hasGapBelow) { notes.append("posts may be missing between these posts") }
    let threads = PostThreads(of: shown, answered: AnsweredPosts(archives))
    return CommandOutput(writer.output(of: threads), notes: notes, code: code)
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
  func missing(_ configuration: Configuration?) -> CommandError {
    let accounts = configuration?.accounts.map(\.name) ?? []
    if !isView, configuration != nil, !accounts.contains(where: { $0.text == name }) {
      return CommandError(AccountChoiceError.unknown(name, accounts))
    }
    let remedy =
      if !isView {
        "To start: homeline login \(name)"
      } else if let views = configuration?.views.map(\.name.text),
        !views.contains(name)
      {
        "The configuration has no such view\(DisplayText.suggestion(for: name, among: views))"
      } else { "To publish it: homeline refresh" }
    return CommandError(
      .notAuthorised,
      "\(isView ? "the view " : "")\(name): nothing has been published yet (\(path) does not exist). \(remedy)")
  }
}
