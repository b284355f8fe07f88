internal import Glibc

/// The messages from this process to the service manager that started it (sd_notify(3)). Without a service manager, nothing is sent; this
/// is not an error.
///
/// Each call sends one datagram at once and does not wait. Any queue may make calls. The result, which may be ignored, is whether the
/// datagram was delivered.
package struct ServiceManager: Sendable {
  private let socket: NotifySocket?

  /// How often `watchdog()` must be called: half the time after which the manager considers this process hung (sd_watchdog_enabled(3)).
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

  /// Reports that the configuration is being read again. Report the end with `ready(status:)`, even if nothing has changed.
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

/// The address where a service manager receives messages: a datagram socket in the file system or, with a leading `@`, in Linux's abstract
/// namespace (unix(7)).
struct NotifySocket: Sendable {
  private let name: String

  /// Creates the address; `nil` if the name begins with neither `/` nor `@`, or is too long for an address.
  init?(_ name: String) {
    guard name.hasPrefix("/") || name.hasPrefix("@"), name.utf8.count > 1 else { return nil }
    guard name.utf8.count < Self.capacity else { return nil }
    self.name = name
  }

  /// Sends one datagram without waiting.
  /// - Returns: whether it was delivered. A receiver that has exited, or whose queue is full, is not treated as an error.
  func send(_ text: String) -> Bool {
    guard
      let number = try? check("socket", nil, { socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0) })
    else { return false }
    let descriptor = Descriptor(owning: number)
    let bytes = Array(text.utf8)
    let borrowed = descriptor.number
    let sent = try? check("sendto", name) {
      unsafe withAddress { address, length in
        unsafe bytes.withUnsafeBytes {
          unsafe sendto(borrowed, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL), address, length)
        }
      }
    }
    return sent == bytes.count
  }

  private static let capacity = MemoryLayout.size(ofValue: sockaddr_un().sun_path)

  private func withAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var bytes = Array(name.utf8)
    // An abstract name begins with a zero byte and ends with the address; a path is followed by a zero byte.
    let isAbstract = bytes[0] == UInt8(ascii: "@")
    if isAbstract { bytes[0] = 0 }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path)!
    let length = socklen_t(offset + bytes.count + (isAbstract ? 0 : 1))
    return unsafe withUnsafePointer(to: &address) {
      unsafe body(UnsafeRawPointer($0).assumingMemoryBound(to: sockaddr.self), length)
    }
  }
}

/// The variables that a service manager sets only for this process.
enum ServiceVariables {
  static let notifySocket = "NOTIFY_SOCKET"
  static let watchdogMicroseconds = "WATCHDOG_USEC"
  static let watchdogProcess = "WATCHDOG_PID"
  static let listenProcess = "LISTEN_PID"
  static let listenCount = "LISTEN_FDS"
  static let listenNames = "LISTEN_FDNAMES"

  /// All of these variables (sd_notify(3), sd_watchdog_enabled(3), sd_listen_fds(3), systemd.exec(5)). A child must not inherit them.
  /// Otherwise it would send messages in this process's name and treat its own descriptors as passed sockets.
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
