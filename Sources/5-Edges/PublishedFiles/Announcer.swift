internal import Dispatch
package import Platform
package import Settings
package import Storage
internal import Timeline

/// Announces new posts on the desktop and to a program that the user has configured, and announces lost logins on the desktop. Keeps each
/// account's posts in order. Never blocks its callers, and kills programs that run too long.
// Sendable because its mutable state is `Locked`.
package final class Announcer: Sendable {
  /// The time limit for the user's program.
  static let patience = Duration.seconds(30)
  /// The maximum size in bytes of a timeline's posts that are waiting for its program. Further posts are dropped.
  private static let backlog = 16 << 20

  private let environment: [String: String]
  private let log: Log
  private let patience: Duration
  /// The queues that wait for programs. There are only a few, because each waiting queue needs a thread. An account always uses the same
  /// queue.
  private let queues = (0..<4).map { DispatchQueue(label: "homeline.announcing.\($0)") }
  private let waiting = Locked<[TimelineKey: [UInt8]]>([:])
  private let isEnding = Locked(false)
  private let desktop: DesktopNotifier

  package init(environment: [String: String], log: Log, patience: Duration = Announcer.patience) {
    self.environment = environment
    self.log = log
    self.patience = patience
    desktop = DesktopNotifier(environment: environment, log: log) { timeline in
      Self.open(timeline, environment: environment, log: log)
    }
  }

  /// Announces new posts, asynchronously.
  /// - Parameters:
  ///   - posts: newest first.
  ///   - settings: the timeline's settings. A post that several timelines contain is announced for each of them.
  ///   - isFirst: whether these are the first known posts of the timeline. If so, the desktop shows no notification.
  package func announce(
    _ posts: [KnownPost], in timeline: TimelineKey, _ settings: TimelineSettings, isFirst: Bool
  ) {
    guard !posts.isEmpty else { return }
    if let command = settings.onNewPosts { run(command, with: posts, of: timeline) }
    if settings.notifies, !isFirst { desktop.notify(posts.count, of: timeline) }
  }

  /// Announces that an account needs a new login, asynchronously. This does not depend on `notify`, which concerns posts.
  /// - Parameter completion: called on another queue with whether the desktop shows it.
  package func announceLostLogin(of account: AccountName, completion: @escaping @Sendable (Bool) -> Void) {
    desktop.notifyOfLostLogin(account, completion: completion)
  }

  /// Takes back the announcement that an account needs a new login.
  package func announceLogin(of account: AccountName) { desktop.removeLostLogin(account) }

  /// Waits until the programs have received the posts announced so far. Programs that take longer continue on their own.
  package func end() {
    isEnding.withLock { $0 = true }
    for queue in queues { queue.sync {} }
    desktop.end()
  }

  private func queue(of account: AccountName) -> DispatchQueue {
    queues[account.text.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xffff } % queues.count]
  }

  // MARK: The user's program

  /// Passes posts to the program, oldest first, as if they had been announced one by one.
  private func run(_ command: [String], with posts: [KnownPost], of timeline: TimelineKey) {
    let lines = posts.reversed().flatMap { $0.json + [UInt8(ascii: "\n")] }
    let isFull = waiting.withLock { waiting in
      guard waiting[timeline, default: []].count + lines.count <= Self.backlog else { return true }
      waiting[timeline, default: []] += lines
      return false
    }
    if isFull {
      return log(
        .warning, "\(timeline): \(posts.count) new posts were not passed to \(command[0]), because it is too far behind"
      )
    }
    queue(of: timeline.account).async { self.runProgram(command, of: timeline) }
  }

  private func runProgram(_ command: [String], of timeline: TimelineKey) {
    // These are all the posts that arrived while the previous program was running.
    guard let lines = waiting.withLock({ $0.removeValue(forKey: timeline) }), !lines.isEmpty else { return }
    var variables = environment
    variables["HOMELINE_ACCOUNT"] = timeline.account.text
    variables["HOMELINE_TIMELINE"] = timeline.timeline.description
    do throws(SystemError) {
      let status = try Child.run(
        find(command[0]), Array(command.dropFirst()), environment: variables, input: lines, timeout: patience,
        mayLeave: { self.isEnding.withLock { $0 } })
      if let status, status != 0 {
        log(.warning, "\(timeline): on_new_posts: \(command[0]) exited with status \(status)")
      }
    } catch {
      let message =
        error.isTimeout
        ? "\(command[0]) took longer than \(patience.components.seconds) s and was terminated" : "\(error)"
      log(.warning, "\(timeline): on_new_posts: \(message)")
    }
  }

  private func find(_ program: String) -> String {
    ProgramSearch.find(program, in: environment["PATH"] ?? "") ?? program
  }

  // MARK: The desktop

  /// Shows a timeline with `homeline open`, which takes some time to start a browser.
  private static func open(_ timeline: TimelineKey, environment: [String: String], log: Log) {
    DispatchQueue(label: "homeline.opening").async { @Sendable in
      do throws(SystemError) {
        let program = InstalledPrograms.command(besides: try ProcessEnvironment.programPath())
        let status = try Child.run(
          program, ["open", timeline.description], environment: environment, input: [], timeout: patience,
          mayLeave: { false })
        if let status, status != 0 { log(.warning, "\(timeline): homeline open exited with status \(status)") }
      } catch { log(.warning, "\(timeline): the timeline could not be opened: \(error)") }
    }
  }
}
