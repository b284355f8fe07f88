import Glibc
import TestSupport
import Testing

@testable import Platform

@Suite struct ChildTests {
  private let environment = ["PATH": "/usr/bin:/bin", "NOTIFY_SOCKET": "/secret", "KEPT": "yes"]

  private func shell(_ script: String, limit: Int = 1000, timeout: Duration = .seconds(20)) throws -> String {
    String(
      decoding: try Child.output(
        of: "sh", ["-c", script], environment: environment, limit: limit, timeout: timeout), as: UTF8.self)
  }

  @Test("a child program's complete output is returned, and systemd's variables are not passed to the program")
  func output() throws {
    #expect(try shell("printf '%s|%s' \"$KEPT\" \"$NOTIFY_SOCKET\"") == "yes|")
    #expect(try shell("cat") == "", "standard input is empty")
  }

  @Test("a child process starts with no signals blocked or ignored")
  func signals() throws {
    // Only signals 1 to 31 are compared, because the C library reserves 32 and 33 for itself and ignores them in every
    // child.
    let masks = try shell("sed -n 's/^Sig\\(Blk\\|Ign\\):.*\\(........\\)$/\\2/p' /proc/self/status").split(
      separator: "\n")
    #expect(masks.count == 2)
    #expect(masks.allSatisfy { UInt32($0, radix: 16).map { $0 & 0x7fff_ffff == 0 } == true }, "\(masks)")
  }

  @Test("a child process inherits only the three standard streams")
  func descriptors() throws {
    // The shell does not use this descriptor number itself.
    let inherited = fcntl(2, F_DUPFD, 200)
    defer { close(inherited) }
    #expect(inherited >= 200 && fcntl(inherited, F_GETFD) == 0, "the descriptor is not close-on-exec")
    #expect(try shell("for n in 1 2 \(inherited); do [ -e /proc/$$/fd/$n ] && echo $n; done; true") == "1\n2\n")
  }

  @Test("the error for a child program that fails, hangs or writes too much contains its name")
  func failures() throws {
    let failed = #expect(throws: SystemError.self) { try shell("exit 3") }
    #expect(failed?.description == "sh: exited with status 3")
    #expect(#expect(throws: SystemError.self) { try shell("sleep 60", timeout: .milliseconds(50)) }?.code == ETIMEDOUT)
    #expect(#expect(throws: SystemError.self) { try shell("yes", limit: 100) }?.code == EFBIG)
    let none = #expect(throws: SystemError.self) {
      try Child.output(of: "no-such-program", [], environment: environment, limit: 1, timeout: .seconds(1))
    }
    #expect(none?.isNoEntry == true)
  }

  @Test("a file passes through two programs, up to a limit")
  func pipeline() throws {
    let folder = TemporaryFolder()
    let (input, output) = ("\(folder.path)/input", "\(folder.path)/output")
    try AtomicFile.write(Array(repeating: 0x61, count: 300_000), to: input, .replaced)
    func run(_ filter: String, _ reader: String, limit: Int) throws(SystemError) -> (filter: Int32, reader: Int32) {
      try Child.run(
        try Descriptor.open(input, O_RDONLY), through: Child.Program("sh", ["-c", filter]),
        into: Child.Program("sh", ["-c", reader]), environment: environment, limit: limit, timeout: .seconds(60))
    }
    let whole = try run("tr a b", "cat > '\(output)'; exit 3", limit: 300_000)
    #expect(whole.filter == 0 && whole.reader == 3)
    #expect(try File.read(output, limit: 1 << 20) == Array(repeating: 0x62, count: 300_000))
    // The reader does not read to the end.
    let unread = try run("cat; exit 2", "exit 0", limit: 300_000)
    #expect(unread.filter == 2 && unread.reader == 0)
    #expect(
      #expect(throws: SystemError.self) { try run("yes", "exec cat > /dev/null", limit: 1 << 20) }?.isTooLarge == true)
    #expect(#expect(throws: SystemError.self) { try run("cat", "cat > /dev/null", limit: 299_999) }?.isTooLarge == true)
  }

  @Test("on a timeout, a child program is killed together with its own children")
  func wholeGroup() async throws {
    let folder = TemporaryFolder()
    let file = "\(folder.path)/child"
    // The shell waits for its child, whose process id is in a file.
    #expect(throws: SystemError.self) {
      try shell("sleep 300 & echo $! > '\(file)'; wait", timeout: .seconds(2))
    }
    let number = try #require(Int32(String(decoding: File.read(file, limit: 20), as: UTF8.self).dropLast()))
    // The child has exited, or is a zombie of the process that inherited it. It is not a child of this process, so this
    // process cannot wait for its exit.
    let hasEnded = try await eventually {
      let state = try? String(decoding: File.read("/proc/\(number)/stat", limit: 4096), as: UTF8.self)
      return state?.contains(") Z ") ?? true
    }
    #expect(hasEnded)
  }

  @Test("the exit status of a started program is returned")
  func started() throws {
    let process = try Child.start("sh", ["-c", "exit 7"], environment: environment)
    #expect(Child.wait(for: process) == 7)
    let killed = try Child.start("sh", ["-c", "kill -TERM $$"], environment: environment)
    #expect(Child.wait(for: killed) == 128 + 15)
  }
}
