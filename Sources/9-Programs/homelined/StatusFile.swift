internal import Dispatch
internal import Platform

/// Writes `$XDG_RUNTIME_DIR/homeline/status.json`: the state of each account after its last refresh, for programs that do not query the
/// service. Published files can be up to an hour older.
///
/// The file exists as long as the service runs. If the service is killed, the next state owner removes it.
// Sendable because all mutable state is accessed only on the main queue.
final class StatusFile: @unchecked Sendable {
  /// How long changes are gathered before they are written.
  private static let pause = Duration.seconds(1)

  private let path: String
  private let document: () -> [UInt8]
  private let log: Log
  private var alarm: Alarm?
  private var isWaiting = false
  private var hasFailed = false

  /// - Parameter document: Returns the content. Called on the main queue.
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
      if !hasFailed { log(.warning, "could not write the status file: \(error)") }
      hasFailed = true
    }
  }

  /// Removes the file and stops writing it.
  func remove() {
    alarm?.set(nil)
    alarm = nil
    Self.remove(path)
  }

  /// Removes the file of a killed service.
  static func remove(_ path: String) { try? File.remove(path) }
}
