internal import Commands
internal import Dispatch
internal import Folders
internal import Formats
internal import Glibc
internal import Platform
internal import Time

/// `homeline show --follow`: prints the newest posts, oldest first, and then each new post when it is published.
///
/// It watches the folders instead of polling. Signals end it like any other program.
// Sendable because all variables are accessed only on `queue`.
final class TimelineFollower: @unchecked Sendable {
  private let arguments: Command.Show
  private let isMerged: Bool
  private let files: PublishedFiles
  private let writer: @Sendable (Timestamp) -> ShownPostWriter
  private let queue = DispatchQueue(label: "show")
  private let end = DispatchSemaphore(value: 0)
  private var outcome: Result<ExitCode, CommandError> = .success(.done)
  private var followed: [FollowedSource] = []
  private var watches: [FolderWatch] = []
  private var alarm: Alarm?
  private var hasPrinted = false

  /// - Parameter writer: Creates a writer for the given time and the current terminal.
  init(
    _ arguments: Command.Show, of timelines: ShownTimelines, among files: PublishedFiles,
    writer: @escaping @Sendable (Timestamp) -> ShownPostWriter
  ) {
    precondition(arguments.format != .json, "an array would have to end")
    self.arguments = arguments
    self.files = files
    self.writer = writer
    isMerged = timelines.isMerged
    followed = timelines.sources.map { FollowedSource($0, isOneOfMany: timelines.isMerged, limit: arguments.limit) }
  }

  /// Runs until output can no longer be written.
  func run() throws(CommandError) -> ExitCode {
    queue.async { self.begin() }
    end.wait()
    return try queue.sync { outcome }.get()
  }

  private func begin() {
    do throws(SystemError) {
      alarm = try Alarm(on: queue) { [unowned self] in reportAges() }
      try DetachedThread.start { [unowned self] in
        OutputReader.waitUntilGone()
        OutputReader.endForWantOfOne()
        queue.async { self.finish(.success(.inputOutput)) }
      }
      // The folders are watched before the files are read, so that no change is missed.
      for index in followed.indices { try watch(index) }
      if arguments.mergesAll { try watchForAccounts() }
    } catch {
      return finish(.failure(CommandError(.inputOutput, "could not watch the published files: \(error)")))
    }
    var posts: [ShownPost] = []
    for index in followed.indices { posts += look(at: index) }
    let newest = followed.count == 1 ? posts : ShownPost.merged(posts.reversed()).prefix(arguments.limit).reversed()
    show(newest)
    if followed.isEmpty { say("nothing has been published yet; waiting for it") }
    setAlarm()
  }

  private func watch(_ index: Int) throws(SystemError) {
    let source = followed[index].source
    let fileName = source.fileName
    let watch = try FolderWatch(source.files.folder, on: queue) { [unowned self] change in
      if case .names(let names) = change, !names.contains(fileName) { return }
      show(look(at: index))
      setAlarm()
    }
    watches.append(watch)
  }

  private func look(at index: Int) -> [ShownPost] {
    let update = followed[index].look(arguments, at: WallClock.system.now, reportsMissing: !isMerged)
    update.notes.forEach(say)
    return update.posts
  }

  // MARK: New accounts

  private func watchForAccounts() throws(SystemError) {
    let watch = try FolderWatch(files.cacheFolder, on: queue) { [unowned self] _ in
      do throws(SystemError) { try addAccounts() } catch { say("\(error)") }
    }
    watches.append(watch)
  }

  private func addAccounts() throws(SystemError) {
    let known = Set(followed.map(\.source))
    for source in files.folders() where !known.contains(source) {
      followed.append(FollowedSource(source, isOneOfMany: true, limit: arguments.limit))
      try watch(followed.count - 1)
      show(look(at: followed.count - 1))
    }
    setAlarm()
  }

  // MARK: Output

  private func show(_ posts: [ShownPost]) {
    if posts.isEmpty { return }
    let output = writer(WallClock.system.now).output(following: posts, isFirst: !hasPrinted)
    hasPrinted = true
    do throws(SystemError) { try Terminal.answer(output) } catch {
      // If SIGPIPE is ignored, a closed pipe still ends the command normally.
      finish(error.code == EPIPE ? .success(.inputOutput) : .failure(CommandError(error)))
    }
  }

  private func say(_ line: String) { Terminal.say("homeline: \(line)") }

  private func reportAges() {
    let now = WallClock.system.now
    for index in followed.indices { if let line = followed[index].lineAboutAge(at: now) { say(line) } }
    setAlarm()
  }

  private func setAlarm() {
    let now = WallClock.system.now
    let next = followed.compactMap { $0.overdueAfter(now) }.min()
    // The alarm is set one second later, so that the time has passed, and at most a day ahead, because its nanoseconds could overflow.
    alarm?.set(next.map { .now + min($0 - now, .seconds(86_400)) + .seconds(1) })
  }

  private func finish(_ result: Result<ExitCode, CommandError>) {
    outcome = result
    end.signal()
  }
}
