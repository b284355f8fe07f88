import Glibc
import Testing

@testable import Platform

// The tests are serialized, because the next test must not use a number that a test has closed.
@Suite(.serialized) struct ListenDescriptorsTests {
  @Test("each descriptor from the service manager can be taken once by its name, and children do not inherit it")
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
    #expect(fcntl(first + 1, F_GETFD) == -1, "a descriptor that was not taken is closed")
    #expect(fcntl(first, F_GETFD) == FD_CLOEXEC, "a descriptor that was taken stays open")
    for number in callback { close(number) }
  }

  @Test("descriptors without names get the name `unknown`")
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
    "the error for an invalid variable contains its name",
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

  @Test("the error for a descriptor that is not open gives its number")
  func missing() throws {
    // This number is above any limit on open files.
    let error = #expect(throws: SystemError.self) {
      _ = try ListenDescriptors.receive(
        environment: ["LISTEN_PID": "7", "LISTEN_FDS": "1"], processID: 7, first: 2_000_000_000)
    }
    #expect(error?.code == EBADF)
    #expect(error?.subject?.contains("2000000000") == true)
  }

  @Test("a process receives the sockets passed to it, and its children inherit neither them nor the variables")
  func children() async throws {
    await #expect(processExitsWith: .success) {
      // This is the state that a service manager leaves after fork and exec: two consecutive inherited numbers and variables with this
      // process's id. The numbers are not 3 and 4, because this process already uses those.
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
      guard said == "KEPT=yes\n" else { fatalError("the child has inherited: \(said)") }
      // The sockets are still open here, and connected to each other.
      guard write(400, "x", 1) == 1 else { fatalError("write: \(errno)") }
    }
  }

  /// Opens the given number of consecutive descriptors at unused numbers. Children inherit them as if from a service manager.
  /// - Returns: the first descriptor number.
  private static func holes(_ count: Int32) -> Int32 {
    let file = open("/dev/null", O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    // Other tests open descriptors at the same time. If a number is already in use, higher numbers are tried.
    var start: Int32 = 500
    while true {
      let numbers = (0..<count).map { fcntl(file, F_DUPFD, start + $0) }
      if numbers == Array(numbers[0]..<numbers[0] + count) { return numbers[0] }
      for number in numbers { close(number) }
      start += 16
    }
  }
}
