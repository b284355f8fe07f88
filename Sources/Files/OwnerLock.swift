internal import Glibc
internal import JSON
package import Platform

/// The lock on the state (`STATE/lock`): whoever holds it is the owner, until this value or the process ends.
package struct OwnerLock: ~Copyable {
  private let lock: FileLock

  /// What came of asking.
  package enum Outcome: ~Copyable {
    case held(OwnerLock)
    /// Somebody else holds it; `nil` when the file does not say who.
    case taken(by: Owner?)
  }

  /// Asks for the lock without waiting for its holder, making the state folder where it is missing.
  package static func take(_ layout: FileLayout, as owner: Owner) throws(SystemError) -> Outcome {
    try Folder.create(layout.stateFolder)
    // Whoever owns the state writes there too; what lies in folders that others have prepared is not to be taken up.
    for folder in [layout.dataFolder, layout.cacheFolder] where File.exists(folder) { try FolderTrust.check(folder) }
    var attempt = 1
    while true {
      switch try FileLock.take(layout.lock, text: owner.text) {
      case .held(let lock): return .held(OwnerLock(lock: lock))
      case .taken(let text):
        // A text without a living process is an instant's: the owner has not written its name yet, or somebody who
        // only looked holds the file shared. Both are over within microseconds.
        let other = Owner(text: text)
        if attempt == 20 || other.map({ isAlive($0.processID) }) == true { return .taken(by: other) }
        attempt += 1
        usleep(5000)
      }
    }
  }

  /// Says anew who the owner is, such as where its control socket lies.
  package borrowing func name(_ owner: Owner) throws(SystemError) { try lock.replaceText(by: owner.text) }

  /// Who holds the lock now, or `nil` when nobody does or the file does not say.
  package static func currentOwner(_ layout: FileLayout) -> Owner? {
    FileLock.holder(layout.lock).flatMap { Owner(text: $0) }
  }

  /// Waits until the holder of the lock has let go of it; somebody else may have taken it by then.
  package static func waitForRelease(_ layout: FileLayout) throws(SystemError) {
    try FileLock.waitForRelease(layout.lock)
  }

  private static func isAlive(_ process: Int32) -> Bool { kill(process, 0) == 0 || errno == EPERM }
}

/// Who holds the state, as the lock file says.
package struct Owner: Sendable, Hashable, CustomStringConvertible {
  package let processID: Int32
  /// Where its control socket listens; `nil` when it takes no commands.
  package let controlSocket: String?
  /// What it was started for, such as `login` or `daemon --once`.
  package let command: String

  /// The command of the one owner that stays; all others end with what they were started for.
  package static let serviceCommand = "daemon"

  package var isService: Bool { command == Owner.serviceCommand }

  package init(processID: Int32, controlSocket: String?, command: String) {
    self.processID = processID
    self.controlSocket = controlSocket
    self.command = command
  }

  package var description: String { "homeline \(command) (process \(processID))" }

  /// One line of JSON.
  var text: String {
    var writer = JSONWriter()
    writer.object { json in
      json.member("pid", processID)
      json.member("control_socket", controlSocket)
      json.member("command", command)
    }
    return String(decoding: writer.bytes, as: UTF8.self) + "\n"
  }

  /// - Returns: `nil` for a text that is not whole: an owner may be about to write it.
  init?(text: String) {
    var processID: Int32?
    var controlSocket: String?
    var command: String?
    var cursor = JSONCursor(Array(text.utf8), maximalDepth: 4)
    do {
      try cursor.members { json, name in
        switch name {
        case "pid": processID = Int32(exactly: try json.integer())
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
