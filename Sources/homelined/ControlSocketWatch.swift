internal import Commands
internal import Dispatch
internal import HTTPServer
internal import Platform
internal import Service

/// Makes the service's control socket again when its file or its folder is removed: without the file no command reaches the service.
// Sendable because everything that changes in it is touched on `queue` only.
final class ControlSocketWatch: @unchecked Sendable {
  /// Time for a removal of the whole folder to come to its end, so that it does not find a new socket in its way.
  private static let firstPause = Duration.milliseconds(200)
  /// Another process may remove the socket again and again: then it is made at most once in this time.
  private static let longestPause = Duration.seconds(60)
  /// A socket that stayed for so long ends the growth of the pauses.
  private static let settled = Duration.seconds(600)

  private let context: DaemonContext
  private let log: Log
  private let queue = DispatchQueue(label: "homeline.control.watch")
  private var path: String
  /// The socket's file as it was made; `nil` where it was not there.
  private var file: FileStatus.Identity?
  private var watch: FolderWatch?
  private var alarm: Alarm?
  /// Attempts in a row, and when the last one was.
  private var attempts = 0
  private var lastAttempt: BootInstant?
  private var isWaiting = false
  private var isStopped = false
  /// Why the last attempt failed: it is logged once.
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
        self.log(.warning, "the control socket cannot be watched, so it is not made again if it is removed: \(error)")
      }
      self.file = self.fileAtPath
      self.look()
    }
  }

  /// Makes no socket any more. Waits for one that is being made.
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
    do throws(CommandFailure) {
      let former = path
      let socket = try ControlSocket.listenAgain(at: path, context.layout)
      path = socket.path
      file = fileAtPath
      try context.listen(at: socket)
      failure = nil
      if path == former {
        log(.warning, "the control socket \(path) was removed; it is there again")
      } else {
        log(.warning, "the control socket \(former) was removed or replaced; it is \(path) from now on")
      }
      // The kernel does not tell the end of a folder while a connection is open that was accepted there (unix(7) keeps its path).
      do throws(SystemError) { try watchFolder() } catch { log(.warning, "\(path) cannot be watched: \(error)") }
    } catch {
      if failure != error.message {
        log(.error, "the control socket was removed, so that no command reaches the service: \(error.message)")
      }
      failure = error.message
    }
    // A failure, or somebody who has removed it meanwhile.
    look()
  }
}
