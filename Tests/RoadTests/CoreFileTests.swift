import Glibc
import Platform
import TestSupport
import Testing

/// What is left of a service that a signal ends in the middle of its work, with the token in its memory.
@Suite("A crashing service") struct CoreFileTests {
  /// A service in a folder of its own, where the shell lets programs leave core files as large as they like.
  private struct CrashingService {
    let served: ServedHome
    let place = TemporaryFolder()
    let daemon: RunningDaemon
    /// The token and its secret.
    let secrets: [String]

    /// - Parameter keepsLimit: whether it fails to lower its limit, so that there is a core as a program gets it that takes cores.
    init(keepsLimit: Bool = false) async throws {
      let served = try ServedHome()
      self.served = served
      // Not for the shell, which raises its limit.
      let preloaded =
        keepsLimit ? ["LD_PRELOAD=\(ProgramRun.product("libFaultInjection.so"))", "HOMELINE_REFUSED=limits"] : []
      let program = try ProgramRun(
        "bash",
        ["-c", "ulimit -c unlimited; cd \"$0\"; exec env \"$@\"", place.path] + preloaded + [
          ProgramRun.product("homeline"), "daemon",
        ],
        // A signal that is sent, and no fault of the program's own, would leave it where the runtime's report ends.
        environment: served.home.environment(["SWIFT_BACKTRACE": "enable=no"]))
      try #require(
        await program.line(containing: " is up: ", on: .error) != nil, "\(program.written(on: .error))")
      daemon = try RunningDaemon(served.home, of: program)
      try await served.logIn(by: daemon)
      let token = try JSONValue(file: served.token(of: "demo"))
      secrets = [try #require(token["token"].text), try #require(token["secret"].text), ServedHome.consumerSecret]
    }

    func crash(by signal: Int32) async throws {
      let (outcome, _) = await daemon.stop(signal)
      #expect(outcome.code == 128 + signal, "\(outcome)")
    }

    /// The core files that lie in a folder.
    static func cores(in folder: String) throws -> [String] {
      try Folder.names(in: folder).filter { $0.hasPrefix("core") }
    }
  }

  /// Whether a program that crashes here leaves a core file in its folder; it may go elsewhere, or to a program.
  private func coresAreFiles() async throws -> Bool {
    let place = TemporaryFolder()
    _ = try await ProgramRun.run(
      "bash", ["-c", "ulimit -c unlimited; cd \"$0\"; kill -SEGV $$", place.path],
      environment: ProgramRun.environment(home: place.path))
    return try !CrashingService.cores(in: place.path).isEmpty
  }

  @Test("A crash leaves no core file", arguments: [SIGSEGV, SIGABRT])
  func noFile(signal: Int32) async throws {
    let service = try await CrashingService()
    let limits = try service.served.home.read("/proc/\(service.daemon.program.process)/limits")
    let line = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") })
    #expect(line.split(separator: " ").dropFirst(4).prefix(2) == ["0", "0"], "\(line)")
    try await service.crash(by: signal)
    #expect(try CrashingService.cores(in: service.place.path) == [])
  }

  @Test(
    "A core dump written despite the limit contains no token",
    .enabled(if: FaultPlan.isPossible, "a sanitizer's library has to be loaded first"))
  func noToken() async throws {
    guard try await coresAreFiles() else { try skipTest("cores are no files in the program's folder here") }
    let service = try await CrashingService(keepsLimit: true)
    try await service.crash(by: SIGSEGV)
    let cores = try CrashingService.cores(in: service.place.path)
    try #require(cores.count == 1)
    for secret in service.secrets {
      let found = try await ProgramRun.run(
        "grep", ["-caF", "-e", secret, "\(service.place.path)/\(cores[0])"],
        environment: ProgramRun.environment(home: service.place.path))
      #expect(found.output == "0\n", "\(found)")
    }
  }
}
