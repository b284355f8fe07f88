internal import Dispatch
internal import Platform

/// `$XDG_RUNTIME_DIR/homeline/status.json`: the state of each account to its last refresh, for programs that do not want to ask the service.
/// Published files stay as they are for up to an hour.
///
/// The file is there as long as the service runs. What a killed service has left is removed by the next owner of the state.
// Sendable because everything that changes in it is touched on the main queue only.
final class StatusFile: @unchecked Sendable {
  /// Changes that come within this time are written once.
  private static let pause = Duration.seconds(1)

  private let path: String
  private let document: () -> [UInt8]
  private let log: Log
  private var alarm: Alarm?
  private var isWaiting = false
  private var hasFailed = false

  /// - Parameter document: makes the content; called on the main queue.
  init(_ path: String, log: Log, document: @escaping () -> [UInt8]) {
    self.path = path
    self.log = log
    self.document = document
    alarm = try? Alarm(on: .main) { [weak self] in self?.write() }
  }

  func noteChange() {
    guard !isWaiting, let alarm else { return }
    isWaiting = true
    alarm.set(.now + Self.pause)
  }

  func write() {
    isWaiting = false
    do throws(SystemError) {
      if let folder = Folder.parent(of: path) { try Folder.create(folder) }
      try AtomicFile.write(document(), to: path, .replaced)
      hasFailed = false
    } catch {
      if !hasFailed { log(.warning, "the status file could not be written: \(error)") }
      hasFailed = true
    }
  }

  /// Takes the file away, for good.
  func remove() {
    alarm?.set(nil)
    alarm = nil
    Self.remove(path)
  }

  /// Takes away what a killed service has left.
  static func remove(_ path: String) { try? File.remove(path) }
}
