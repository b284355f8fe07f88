internal import JSON

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
