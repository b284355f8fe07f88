import Glibc
import Platform
import TestSupport
import Testing

/// What a crashing service leaves on disk while it holds a token in memory.
@Suite("A crashing service") struct CoreFileTests {
  /// A service in its own working directory, started by a shell that does not limit core files.
  private struct CrashingService {
    let fixture: TwitterFixture
    let folder = TemporaryFolder()
    let daemon: RunningDaemon
    /// The access token and its secret.
    let secrets: [String]

    /// - Parameter keepsLimit: whether the service fails to lower the limit, so that the kernel writes a core file.
    init(keepsLimit: Bool = false) async throws {
      let fixture = try TwitterFixture()
      self.fixture = fixture
      // The shell does not get these variables, because it must be able to raise the limit.
      let preloaded =
        keepsLimit ? ["LD_PRELOAD=\(ProgramRun.product("libFaultInjection.so"))", "HOMELINE_REFUSED=limits"] : []
      let program = try ProgramRun(
        "bash",
        ["-c", "ulimit -c unlimited; cd \"$0\"; exec env \"$@\"", folder.path] + preloaded + [
          ProgramRun.product("homeline"), "daemon",
        ],
        // The backtracer is off, because it would end the program as soon as its report is complete.
        environment: fixture.home.environment(["SWIFT_BACKTRACE": "enable=no"]))
      try #require(
        await program.line(containing: " is up: ", on: .error) != nil, "\(program.written(on: .error))")
      daemon = try RunningDaemon(fixture.home, of: program)
      try await daemon.logIn()
      let token = try JSONValue(file: fixture.home.token(of: "demo"))
      secrets = [try #require(token["token"].text), try #require(token["secret"].text), TwitterFixture.consumerSecret]
    }

    func crash(by signal: Int32) async throws {
      let (outcome, _) = await daemon.stop(signal)
      #expect(outcome.code == 128 + signal, "\(outcome)")
    }

    /// Returns the core files in a folder.
    static func cores(in folder: String) throws -> [String] {
      try Folder.names(in: folder).filter { $0.hasPrefix("core") }
    }
  }

  /// Returns whether a crash on this machine writes a core file to the working directory, and not elsewhere or to a
  /// program.
  private func coresAreFiles() async throws -> Bool {
    let folder = TemporaryFolder()
    _ = try await ProgramRun.run(
      "bash", ["-c", "ulimit -c unlimited; cd \"$0\"; kill -SEGV $$", folder.path],
      environment: ProgramRun.environment(home: folder.path))
    return try !CrashingService.cores(in: folder.path).isEmpty
  }

  @Test("A service that crashes leaves no core file", arguments: [SIGSEGV, SIGABRT])
  func noFile(signal: Int32) async throws {
    let service = try await CrashingService()
    let limits = try service.fixture.home.read("/proc/\(service.daemon.program.process)/limits")
    let line = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") })
    #expect(line.split(separator: " ").dropFirst(4).prefix(2) == ["0", "0"], "\(line)")
    try await service.crash(by: signal)
    #expect(try CrashingService.cores(in: service.folder.path) == [])
  }

  @Test(
    "If a core file is written despite the limit, it contains no token",
    .enabled(if: DiskFaultPlan.isPossible, "the sanitizer's library must be loaded first"))
  func noToken() async throws {
    guard try await coresAreFiles() else {
      try skipTest("this machine does not write core files to the working directory")
    }
    let service = try await CrashingService(keepsLimit: true)
    try await service.crash(by: SIGSEGV)
    let cores = try CrashingService.cores(in: service.folder.path)
    try #require(cores.count == 1)
    for secret in service.secrets {
      let found = try await ProgramRun.run(
        "grep", ["-caF", "-e", secret, "\(service.folder.path)/\(cores[0])"],
        environment: ProgramRun.environment(home: service.folder.path))
      #expect(found.output == "0\n", "\(found)")
    }
  }
}
