internal import Commands
internal import Dispatch
internal import HTTPServer
internal import LocalCommands
internal import Platform
internal import Service

/// Recreates the service's control socket if its file or folder is removed, because commands could not reach the service without it.
// Sendable because all mutable state is accessed only on `queue`.
final class ControlSocketWatch: @unchecked Sendable {
  /// The delay before the first attempt, so that removing a whole folder can finish first.
  private static let firstPause = Duration.milliseconds(200)
  /// The longest delay between attempts, if something keeps removing the socket.
  private static let longestPause = Duration.seconds(60)
  /// How long a socket must exist for the next delay to be short again.
  private static let settled = Duration.seconds(600)

  private let context: DaemonContext
  private let log: Log
  private let queue = DispatchQueue(label: "homeline.control.watch")
  private var path: String
  /// The identity of the socket's file at its creation; nil if it was missing.
  private var file: FileStatus.Identity?
  private var watch: FolderWatch?
  private var alarm: Alarm?
  /// The number of consecutive attempts and the time of the last one.
  private var attempts = 0
  private var lastAttempt: BootInstant?
  private var isWaiting = false
  private var isStopped = false
  /// The reason the last attempt failed, kept so that each reason is logged only once.
  private var failure: String?

  init(_ context: DaemonContext, log: Log) {
    self.context = context
    self.log = log
    path = context.controlSocket
  }

  func start() {
    queue.async {
      do throws(SystemError) {
        self.alarm = try Alarm(on: self.queue) { [weak self] in self?.makeAgain() }
        try self.watchFolder()
      } catch {
        self.log(.warning, "could not watch the control socket, so it will not be recreated if it is removed: \(error)")
      }
      self.file = self.fileAtPath
      self.look()
    }
  }

  /// Waits for a running attempt and stops the watch.
  func stop() {
    queue.sync {
      isStopped = true
      alarm = nil
      watch = nil
    }
  }

  private func watchFolder() throws(SystemError) {
    guard let folder = Folder.parent(of: path) else { return }
    watch = try FolderWatch(folder, removals: true, on: queue) { [weak self] _ in self?.look() }
  }

  private var fileAtPath: FileStatus.Identity? { (try? FileStatus.ofLink(path))?.identity }

  private var isInPlace: Bool { file != nil && fileAtPath == file }

  private func look() {
    guard !isStopped, !isWaiting, !isInPlace else { return }
    if let lastAttempt, .now - lastAttempt > Self.settled { attempts = 0 }
    let pause = attempts == 0 ? Self.firstPause : min(Self.longestPause, .seconds(1 << min(attempts - 1, 6)))
    isWaiting = true
    alarm?.set(.now + pause)
  }

  private func makeAgain() {
    isWaiting = false
    guard !isStopped, !isInPlace else { return }
    attempts += 1
    lastAttempt = .now
    do throws(CommandError) {
      let former = path
      let socket = try ControlSocket.listenAgain(at: path, context.layout)
      path = socket.path
      file = fileAtPath
      try context.listen(at: socket)
      failure = nil
      if path == former {
        log(.warning, "the control socket \(path) was removed and has been recreated")
      } else {
        log(.warning, "the control socket \(former) was removed or replaced; using \(path) instead")
      }
      // The kernel does not report the removal of a folder while a connection accepted in it is open (unix(7) keeps its path).
      do throws(SystemError) { try watchFolder() } catch { log(.warning, "could not watch \(path): \(error)") }
    } catch {
      if failure != error.message {
        log(
          .error,
          "the control socket was removed and could not be recreated, so commands cannot reach the service: \(error.message)"
        )
      }
      failure = error.message
    }
    // The attempt may have failed, or the socket may have been removed in the meantime.
    look()
  }
}
