import Glibc
@testable import Platform
import Testing

// Serialized: a number that one test has closed must not be used by the next.
@Suite(.serialized) struct ListenDescriptorsTests {
  @Test("each descriptor can be taken once by its name, and child processes do not inherit it")
  func named() throws {
    let first = Self.holes(3)
    var descriptors = try ListenDescriptors.receive(
      environment: ["LISTEN_PID": "7", "LISTEN_FDS": "3", "LISTEN_FDNAMES": "callback:control:callback"],
      processID: 7, first: first)
    #expect(descriptors.names == ["callback", "control", "callback"])
    for number in first..<first + 3 { #expect(fcntl(number, F_GETFD) == FD_CLOEXEC) }
    let callback = descriptors.take("callback")
    #expect(callback == [first, first + 2])
    #expect(descriptors.take("callback").isEmpty)
    #expect(descriptors.names == ["control"])
    _ = consume descriptors
    #expect(fcntl(first + 1, F_GETFD) == -1, "what nobody took is closed")
    #expect(fcntl(first, F_GETFD) == FD_CLOEXEC, "what was taken is not")
    for number in callback { close(number) }
  }

  @Test("descriptors without names are called `unknown`")
  func unnamed() throws {
    let first = Self.holes(2)
    let descriptors = try ListenDescriptors.receive(
      environment: ["LISTEN_PID": "7", "LISTEN_FDS": "2"], processID: 7, first: first)
    #expect(descriptors.names == ["unknown", "unknown"])
  }

  @Test("descriptors meant for another process are left alone")
  func others() throws {
    let first = Self.holes(1)
    defer { close(first) }
    for variables in [
      [:], ["LISTEN_FDS": "1"], ["LISTEN_PID": "7"], ["LISTEN_PID": "8", "LISTEN_FDS": "1"],
      ["LISTEN_PID": "8", "LISTEN_FDS": "nonsense"],
    ] {
      let descriptors = try ListenDescriptors.receive(environment: variables, processID: 7, first: first)
      #expect(descriptors.names.isEmpty)
    }
    #expect(fcntl(first, F_GETFD) == 0)
  }

  @Test(
    "the error contains the name of an invalid variable",
    arguments: [
      ("LISTEN_PID", "seven", "1", nil), ("LISTEN_PID", "", "1", nil), ("LISTEN_FDS", "7", "-1", nil),
      ("LISTEN_FDS", "7", " 1", nil), ("LISTEN_FDS", "7", "0x1", nil), ("LISTEN_FDS", "7", "2147483647", nil),
      ("LISTEN_FDNAMES", "7", "1", "a:b"),
    ] as [(String, String, String, String?)])
  func invalid(variable: String, process: String, count: String, names: String?) throws {
    let first = Self.holes(1)
    defer { close(first) }
    var variables = ["LISTEN_PID": process, "LISTEN_FDS": count]
    variables["LISTEN_FDNAMES"] = names
    let error = #expect(throws: SystemError.self) {
      _ = try ListenDescriptors.receive(environment: variables, processID: 7, first: first)
    }
    #expect(error?.subject == variable)
  }

  @Test("the error contains the number of a descriptor that is not open")
  func missing() throws {
    // Above any limit on open files.
    let error = #expect(throws: SystemError.self) {
      _ = try ListenDescriptors.receive(
        environment: ["LISTEN_PID": "7", "LISTEN_FDS": "1"], processID: 7, first: 2_000_000_000)
    }
    #expect(error?.code == EBADF)
    #expect(error?.subject?.contains("2000000000") == true)
  }

  @Test("passed sockets reach this process, but neither they nor the variables are inherited by its children")
  func children() async throws {
    await #expect(processExitsWith: .success) {
      // The state that a manager leaves after fork and exec: two consecutive numbers, inherited, and variables with this process's
      // id. They are not 3 and 4, which this process already uses for something else.
      var pair: [Int32] = [0, 0]
      guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0 else { fatalError("socketpair: \(errno)") }
      let (one, other) = (fcntl(pair[0], F_DUPFD, 100), fcntl(pair[1], F_DUPFD, 100))
      guard dup2(one, 400) == 400, dup2(other, 401) == 401 else { fatalError("dup2: \(errno)") }
      _ = fcntl(one, F_SETFD, FD_CLOEXEC)
      _ = fcntl(other, F_SETFD, FD_CLOEXEC)
      for (name, value) in [
        ("LISTEN_PID", "\(getpid())"), ("LISTEN_FDS", "2"), ("LISTEN_FDNAMES", "callback:control"),
        ("LISTEN_PIDFDID", "1"), ("NOTIFY_SOCKET", "@nobody"), ("WATCHDOG_USEC", "1000000"),
        ("WATCHDOG_PID", "\(getpid())"), ("KEPT", "yes"),
      ] { setenv(name, value, 1) }
      let environment = ProcessEnvironment.variables()
      var descriptors = try ListenDescriptors.receive(environment: environment, first: 400)
      guard descriptors.take("callback") == [400], descriptors.take("control") == [401] else {
        fatalError("not received")
      }
      let script = """
        env | grep -E '^(LISTEN_|NOTIFY_|WATCHDOG_|KEPT)'
        for number in 400 401; do [ -S /dev/fd/$number ] && echo "descriptor $number"; done
        true
        """
      let bytes = try Child.output(
        of: "sh", ["-c", script], environment: environment, limit: 4096, timeout: .seconds(20))
      let said = String(decoding: bytes, as: UTF8.self)
      guard said == "KEPT=yes\n" else { fatalError("the child has: \(said)") }
      // They are still open here, and connected to each other.
      guard write(400, "x", 1) == 1 else { fatalError("write: \(errno)") }
    }
  }

  /// Opens this many consecutive descriptors, which children inherit as from a manager, at numbers that are otherwise unused.
  /// - Returns: the first number.
  private static func holes(_ count: Int32) -> Int32 {
    let file = open("/dev/null", O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    // Other tests open descriptors at the same time: if a number is already in use, a later row is tried.
    var start: Int32 = 500
    while true {
      let numbers = (0..<count).map { fcntl(file, F_DUPFD, start + $0) }
      if numbers == Array(numbers[0]..<numbers[0] + count) { return numbers[0] }
      for number in numbers { close(number) }
      start += 16
    }
  }
}
