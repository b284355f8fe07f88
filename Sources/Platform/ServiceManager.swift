internal import Glibc

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

/// Where a service manager hears its services: a datagram socket in the file system or, with a leading `@`, in Linux' abstract
/// namespace (unix(7)).
struct NotifySocket: Sendable {
  private let name: String

  /// - Returns: `nil` for what is neither kind of name, or too long for an address.
  init?(_ name: String) {
    guard name.hasPrefix("/") || name.hasPrefix("@"), name.utf8.count > 1 else { return nil }
    guard name.utf8.count < Self.capacity else { return nil }
    self.name = name
  }

  /// Sends one datagram and waits for nothing.
  /// - Returns: whether it arrived. A receiver that is gone, or whose queue is full, is nobody's fault here.
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
    // An abstract name begins with a zero byte and ends with the address; a path has a zero byte behind it.
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
