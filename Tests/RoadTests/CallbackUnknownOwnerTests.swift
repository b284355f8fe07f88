import Platform
import TestSupport
import Testing

@Suite("A login where the kernel does not say whose a connection is") struct CallbackUnknownOwnerTests {
  @Test(
    "without netlink the tables in /proc are read, and a login works as ever",
    .enabled(if: FaultPlan.isPossible, "a sanitizer's library has to be loaded first"))
  func tables() async throws {
    let home = try RoadHome(variables: [
      "LD_PRELOAD": ProgramRun.product("libFaultInjection.so"), "HOMELINE_REFUSED": "peers",
    ])
    let outcome = try await home.logIn()
    #expect(!outcome.error.contains("the kernel does not say"), "\(outcome.error)")
  }

  @Test("a socket handed over for the question that is none of netlink ends the service with 78")
  func wrongSocket() async throws {
    let home = try RoadHome()
    let outcome = try await home.shell(
      "LISTEN_FDS=1 LISTEN_PID=$$ LISTEN_FDNAMES=peers exec \"$0\" daemon 3</dev/null")
    #expect(outcome.code == 78, "\(outcome)")
    #expect(outcome.error.contains("'peers' has to be one of netlink (ListenNetlink=inet-diag)"), "\(outcome.error)")
  }

  @Test(
    "with neither, a login takes its callback, and it is said once that others' would be taken too",
    .enabled(if: FaultPlan.isPossible, "a sanitizer's library has to be loaded first"))
  func neither() async throws {
    let home = try RoadHome(variables: [
      "LD_PRELOAD": ProgramRun.product("libFaultInjection.so"), "HOMELINE_REFUSED": "peers tables",
    ])
    let daemon = try await RunningDaemon(home)
    for _ in 0..<2 { try await home.logIn() }
    let (ended, _) = await daemon.stop()
    let lines = ended.error.split(separator: "\n").filter { $0.contains("the kernel does not say") }
    #expect(lines.count == 1, "\(ended.error)")
  }
}
