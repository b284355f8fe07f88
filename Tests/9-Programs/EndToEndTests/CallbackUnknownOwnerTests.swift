import Platform
import TestSupport
import Testing

@Suite("Callbacks whose sender the kernel does not report") struct CallbackUnknownOwnerTests {
  @Test(
    "Without netlink, the service looks up the peer's user in /proc, and a login succeeds",
    .enabled(if: DiskFaultPlan.isPossible, "the sanitizer's library must be loaded first"))
  func tables() async throws {
    let home = try TestInstallation(variables: [
      "LD_PRELOAD": ProgramRun.product("libFaultInjection.so"), "HOMELINE_REFUSED": "peers",
    ])
    let outcome = try await home.logIn()
    #expect(!outcome.error.contains("the kernel cannot tell"), "\(outcome.error)")
  }

  @Test("The service exits with 78 if the activation socket `peers` is not a netlink socket")
  func wrongSocket() async throws {
    let home = try TestInstallation()
    let outcome = try await home.shell(
      "LISTEN_FDS=1 LISTEN_PID=$$ LISTEN_FDNAMES=peers exec \"$0\" daemon 3</dev/null")
    #expect(outcome.code == 78, "\(outcome)")
    #expect(outcome.error.hasPrefix("homeline: the socket named 'peers' must be a netlink socket"), "\(outcome.error)")
  }

  @Test(
    "Without netlink and /proc, the service accepts callbacks and logs a single warning",
    .enabled(if: DiskFaultPlan.isPossible, "the sanitizer's library must be loaded first"))
  func neither() async throws {
    let home = try TestInstallation(variables: [
      "LD_PRELOAD": ProgramRun.product("libFaultInjection.so"), "HOMELINE_REFUSED": "peers tables",
    ])
    let daemon = try await RunningDaemon(home)
    for _ in 0..<2 { try await home.logIn() }
    let (ended, _) = await daemon.stop()
    let lines = ended.error.split(separator: "\n").filter { $0.contains("the kernel cannot tell") }
    #expect(lines.count == 1, "\(ended.error)")
  }
}
