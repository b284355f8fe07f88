/// The messages from this process to the service manager that started it (sd_notify(3)). Without a service manager, nothing is sent; this
/// is not an error.
///
/// Each call sends one datagram immediately and does not wait. Any queue may make calls. The result, which may be ignored, is whether the
/// datagram was delivered.
package struct ServiceManager: Sendable {
  private let socket: NotifySocket?

  /// How often `watchdog()` must be called: half the time until the manager considers this process hung (sd_watchdog_enabled(3)).
  /// `nil` if it does not watch this process.
  package let watchdogInterval: Duration?

  /// - Parameters:
  ///   - environment: contains `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID`.
  ///   - processID: the id of this process. A program that replaces this one keeps the id. A child has a different id, and the watchdog
  ///     does not apply to it.
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

  /// Reports that the service is ready, after its start and after each `reloading()`.
  @discardableResult
  package func ready(status: String? = nil) -> Bool { send(["READY=1"], status) }

  /// Sets the one-line status shown to users (`systemctl status`).
  @discardableResult
  package func status(_ status: String) -> Bool { send([], status) }

  /// Reports that the configuration is being read again. Report its end with `ready(status:)`, even if nothing has changed.
  @discardableResult
  package func reloading(status: String? = nil) -> Bool {
    // A manager with `Type=notify-reload` (systemd 253) uses the time to determine whether this responds to its latest signal.
    send(["RELOADING=1", "MONOTONIC_USEC=\(Self.monotonicMicroseconds)"], status)
  }

  /// Reports that the service is stopping.
  @discardableResult
  package func stopping(status: String? = nil) -> Bool { send(["STOPPING=1"], status) }

  /// Reports that the service is still working. Call this every `watchdogInterval`.
  @discardableResult
  package func watchdog() -> Bool { send(["WATCHDOG=1"], nil) }

  private func send(_ assignments: [String], _ status: String?) -> Bool {
    guard let socket else { return false }
    let lines = assignments + (status.map { ["STATUS=\(Self.line($0))"] } ?? [])
    return socket.send(lines.joined(separator: "\n") + "\n")
  }

  /// The maximum length of a status in bytes. A manager drops any datagram larger than 4096 bytes.
  private static let longestStatus = 1000

  /// Returns the text on one line, so that no part of it can be mistaken for a separate assignment.
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

  /// The clock that the protocol requires, `CLOCK_MONOTONIC`.
  private static var monotonicMicroseconds: Int64 { AwakeTime.now.nanoseconds / 1000 }
}
