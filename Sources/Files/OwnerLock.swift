internal import Glibc
internal import JSON
package import Platform

/// The lock on the state (`STATE/lock`). The process that holds it owns the state until this value is destroyed or the process exits.
package struct OwnerLock: ~Copyable {
  private let lock: FileLock

  /// The result of trying to acquire the lock.
  package enum Outcome: ~Copyable {
    case held(OwnerLock)
    /// Another process holds the lock; `nil` if the file does not identify it.
    case taken(by: Owner?)
  }

  /// Tries to acquire the lock without waiting, creating the state folder if it does not exist.
  package static func take(_ layout: FileLayout, as owner: Owner) throws(SystemError) -> Outcome {
    try Folder.create(layout.stateFolder)
    // The owner of the state also writes to these folders. Files that other users prepared there must not be used.
    for folder in [layout.dataFolder, layout.cacheFolder] where File.exists(folder) { try FolderTrust.check(folder) }
    var attempt = 1
    while true {
      switch try FileLock.take(layout.lock, text: owner.text) {
      case .held(let lock): return .held(OwnerLock(lock: lock))
      case .taken(let text):
        // For some microseconds, the text may not identify a running process: the owner has not written it yet, or a reader holds a shared
        // lock.
        let other = Owner(text: text)
        if attempt == 20 || other.map({ isAlive($0.processID) }) == true { return .taken(by: other) }
        attempt += 1
        usleep(5000)
      }
    }
  }

  /// Updates the description of this process in the lock file, such as the path of its control socket.
  package borrowing func name(_ owner: Owner) throws(SystemError) { try lock.replaceText(by: owner.text) }

  /// Returns the current holder of the lock; `nil` if there is none or the file does not identify it.
  package static func currentOwner(_ layout: FileLayout) -> Owner? {
    FileLock.holder(layout.lock).flatMap { Owner(text: $0) }
  }

  /// Waits until the lock is released. By then, another process may have acquired it.
  package static func waitForRelease(_ layout: FileLayout) throws(SystemError) {
    try FileLock.waitForRelease(layout.lock)
  }

  private static func isAlive(_ process: Int32) -> Bool { kill(process, 0) == 0 || errno == EPERM }
}

/// The owner of the state, as written in the lock file.
package struct Owner: Sendable, Hashable, CustomStringConvertible {
  package let processID: Int32
  /// The path of the process's control socket; `nil` if the process accepts no commands.
  package let controlSocket: String?
  /// The command that the process runs, such as `login` or `daemon --once`.
  package let command: String

  /// The command of the service. All other owners exit when their command has finished.
  package static let serviceCommand = "daemon"

  package var isService: Bool { command == Owner.serviceCommand }

  package init(processID: Int32, controlSocket: String?, command: String) {
    self.processID = processID
    self.controlSocket = controlSocket
    self.command = command
  }

  package var description: String { "homeline \(command) (process \(processID))" }

  /// The owner as one line of JSON.
  var text: String {
    var writer = JSONWriter()
    writer.object { json in
      json.member("pid", processID)
      json.member("control_socket", controlSocket)
      json.member("command", command)
    }
    return String(decoding: writer.bytes, as: UTF8.self) + "\n"
  }

  /// Reads the owner; `nil` if the text is incomplete, because a process may still be writing it.
  init?(text: String) {
    var processID: Int32?
    var controlSocket: String?
    var command: String?
    var cursor = JSONCursor(Array(text.utf8), maximalDepth: 4)
    do {
      try cursor.members { json, name in
        switch name {
        case "pid": processID = try json.integer(in: 1...Int32.max)
        case "control_socket": controlSocket = try json.stringOrNull()
        case "command": command = try json.string()
        default: try json.skip()
        }
      }
    } catch { return nil }
    guard let processID, let command else { return nil }
    self.init(processID: processID, controlSocket: controlSocket, command: command)
  }
}
