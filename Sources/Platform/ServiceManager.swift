/// What this process tells the service manager that started it (sd_notify(3)); without one, nothing is said and nothing is wrong.
///
/// Each call sends one datagram at once and never waits; any queue may call. Whether it arrived is answered, and may be ignored.
package struct ServiceManager: Sendable {
  private let socket: NotifySocket?

  /// How often `watchdog()` has to be called: half of the time after which the manager takes this process for hung
  /// (sd_watchdog_enabled(3)). `nil` when it does not watch this process.
  package let watchdogInterval: Duration?

  /// - Parameters:
  ///   - environment: where `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID` are looked up.
  ///   - processID: ours. Exchanging the program keeps it; a child's differs, and the watchdog is not meant for that.
  package init(environment: [String: String], processID: Int32 = ProcessEnvironment.processID) {
    let socket = environment[ServiceVariables.notifySocket].flatMap { NotifySocket($0) }
    self.socket = socket
    watchdogInterval = socket == nil ? nil : Self.watchdogInterval(environment, processID)
  }

  private static func watchdogInterval(_ environment: [String: String], _ processID: Int32) -> Duration? {
    if let process = environment[ServiceVariables.watchdogProcess], ServiceVariables.number(process) != processID {
      return nil
    }
    guard let limit: Int64 = ServiceVariables.number(environment[ServiceVariables.watchdogMicroseconds]), limit > 1
    else { return nil }
    return .microseconds(limit / 2)
  }

  /// Whether there is somebody to tell.
  package var isPresent: Bool { socket != nil }

  /// The service can be used: after its start, and after each `reloading()`.
  @discardableResult
  package func ready(status: String? = nil) -> Bool { send(["READY=1"], status) }

  /// One line for people about what goes on (`systemctl status`).
  @discardableResult
  package func status(_ status: String) -> Bool { send([], status) }

  /// The configuration is read again; `ready(status:)` says when it has been, even if it stays as it was.
  @discardableResult
  package func reloading(status: String? = nil) -> Bool {
    // A manager of `Type=notify-reload` (systemd 253) tells by the time whether this answers its latest signal.
    send(["RELOADING=1", "MONOTONIC_USEC=\(Self.monotonicMicroseconds)"], status)
  }

  /// The service ends by its own will.
  @discardableResult
  package func stopping(status: String? = nil) -> Bool { send(["STOPPING=1"], status) }

  /// A sign of life, due each `watchdogInterval`.
  @discardableResult
  package func watchdog() -> Bool { send(["WATCHDOG=1"], nil) }

  private func send(_ assignments: [String], _ status: String?) -> Bool {
    guard let socket else { return false }
    let lines = assignments + (status.map { ["STATUS=\(Self.line($0))"] } ?? [])
    return socket.send(lines.joined(separator: "\n") + "\n")
  }

  /// The longest status, in bytes. A manager drops a datagram above 4096 bytes whole.
  private static let longestStatus = 1000

  /// A text in one line, so that nothing in it can pass for an assignment of its own.
  private static func line(_ text: String) -> String {
    var line = ""
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: line.unicodeScalars.append(" ")
      default: line.unicodeScalars.append(scalar)
      }
      if line.utf8.count > longestStatus {
        line.unicodeScalars.removeLast()
        return line + "…"
      }
    }
    return line
  }

  /// The clock that the protocol asks for, `CLOCK_MONOTONIC`.
  private static var monotonicMicroseconds: Int64 { AwakeTime.now.nanoseconds / 1000 }
}
