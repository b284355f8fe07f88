/// The variables that a service manager sets only for this process.
enum ServiceVariables {
  static let notifySocket = "NOTIFY_SOCKET"
  static let watchdogMicroseconds = "WATCHDOG_USEC"
  static let watchdogProcess = "WATCHDOG_PID"
  static let listenProcess = "LISTEN_PID"
  static let listenCount = "LISTEN_FDS"
  static let listenNames = "LISTEN_FDNAMES"

  /// All of these variables (sd_notify(3), sd_watchdog_enabled(3), sd_listen_fds(3), systemd.exec(5)). A child must not inherit them.
  /// It would otherwise send messages in this process's name, and mistake its own descriptors for passed sockets.
  static let all: Set<String> = [
    notifySocket, watchdogMicroseconds, watchdogProcess, listenProcess, listenCount, listenNames, "LISTEN_PIDFDID",
    "FDSTORE",
  ]

  /// Returns a decimal number without a sign or spaces; `nil` for anything else.
  static func number<Number: FixedWidthInteger>(_ text: String?) -> Number? {
    guard let text, !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
      return nil
    }
    return Number(text)
  }
}
