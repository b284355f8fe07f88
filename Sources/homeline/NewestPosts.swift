internal import CivilTime
internal import Commands
internal import Platform
internal import Publish

extension Command.Show: LocalCommand {
  func run(in context: CommandContext) throws(CommandError) -> ExitCode {
    let files = try context.publishedFiles()
    let sources = try files.sources(for: self, try context.configurationFiles())
    let environment = context.environment
    if follows {
      return try TimelineFollower(self, of: sources, among: files) { now in
        environment.postWriter(for: self, at: now)
      }.run()
    }
    let now = WallClock.system.now
    let posts = NewestPosts(
      arguments: self, sources: sources, now: now, writer: environment.postWriter(for: self, at: now),
      archives: try context.archives())
    return try context.write(try posts.output(), isPaged: usesPager)
  }
}

/// Prints the newest posts of published files, with a note if they are stale.
struct NewestPosts {
  let arguments: Command.Show
  /// The timelines, at least one; several are merged by time.
  let sources: [ShownSource]
  let now: Timestamp
  let writer: ShownPostWriter
  /// The archives that contain the posts to which others reply.
  let archives: Archives

  /// Returns the output of the command.
  /// - Throws: `CommandError` if the only file cannot be read. If there are several files, the remaining files are shown and the failure is
  ///   noted.
  func output() throws(CommandError) -> CommandOutput {
    var posts: [ShownPost] = []
    var notes: [String] = []
    var code = ExitCode.done
    for source in sources {
      do throws(CommandError) {
        // In a view, read and unread posts are mixed.
        let limit = arguments.onlyUnread && source.isView ? .max : arguments.limit
        guard let file = try PublishedFile.read(source.path, limit: limit) else { throw source.missing }
        let places = file.posts.indices.filter { !arguments.onlyUnread || file.isUnread($0) }.prefix(arguments.limit)
        notes += self.notes(about: file, of: source, isEmpty: places.isEmpty)
        posts += ShownPost.posts(at: places, of: file, in: source, isOneOfMany: arguments.mergesAll)
      } catch {
        if !arguments.mergesAll { throw error }
        notes.append(error.message)
        code = code.worse(error.exitCode)
      }
    }
    let shown = sources.count == 1 ? posts : Array(ShownPost.merged(posts).prefix(arguments.limit))
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
  /// The error for a missing file.
  var missing: CommandError {
    let remedy =
      isView
      ? "Declare it under \"views\" in the configuration; the service publishes it"
      : "To start: homeline login \(name)"
    return CommandError(
      .notAuthorised,
      "\(isView ? "the view " : "")\(name): nothing has been published yet (\(path) does not exist). \(remedy)")
  }
}
