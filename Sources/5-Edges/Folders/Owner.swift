internal import JSON

/// The state owner, as written in the lock file.
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
