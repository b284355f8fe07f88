/// The variables by which a service manager speaks to this process and to no other.
enum ServiceVariables {
  static let notifySocket = "NOTIFY_SOCKET"
  static let watchdogMicroseconds = "WATCHDOG_USEC"
  static let watchdogProcess = "WATCHDOG_PID"
  static let listenProcess = "LISTEN_PID"
  static let listenCount = "LISTEN_FDS"
  static let listenNames = "LISTEN_FDNAMES"

  /// All of them (sd_notify(3), sd_watchdog_enabled(3), sd_listen_fds(3), systemd.exec(5)): a child must not inherit any, or it
  /// would speak in our name and take its own descriptors for sockets of ours.
  static let all: Set<String> = [
    notifySocket, watchdogMicroseconds, watchdogProcess, listenProcess, listenCount, listenNames, "LISTEN_PIDFDID",
    "FDSTORE",
  ]

  /// A decimal number without sign or blanks; `nil` for anything else.
  static func number<Number: FixedWidthInteger>(_ text: String?) -> Number? {
    guard let text, !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
      return nil
    }
    return Number(text)
  }
}
