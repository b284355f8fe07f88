import Glibc
import Platform
import Sandbox
import TestSupport
import Testing

@Suite("One service at a time") struct OneServiceTests {
  private static let members = #""refresh_seconds": 86400, "keep_posts": 20"#

  @Test("A second service exits with 75 and names the first")
  func second() async throws {
    let served = try ServedHome(Self.members)
    let daemon = try await RunningDaemon(served.home)
    let second = try await served.home.run("daemon")
    #expect(second.code == 75)
    #expect(second.error.contains("\(daemon.program.process)"), "\(second.error)")
    #expect(try await daemon.status()["owner"]["pid"].integer == Int(daemon.program.process))
    #expect(await daemon.stop().outcome.code == 0)
  }

  @Test("A service started during a login takes over when the login ends")
  func passing() async throws {
    let served = try ServedHome(Self.members)
    let login = try await WaitingLogin(served.home)
    let service = try served.home.start(["daemon"])
    let waits = try #require(await service.line(containing: "waiting for the end of", on: .error))
    #expect(waits.contains("\(login.program.process)"))
    // A service that waits cannot reload yet, and must not end either.
    service.signal(SIGHUP)
    let page = try await PlainBrowser.onThreadOfItsOwn { try login.browser.follow(login.grant()) }
    #expect(page.text.contains("Authorised as"))
    #expect(await login.program.end().code == 0)
    #expect(await service.line(containing: " is up: ", on: .error) != nil)
    let daemon = try RunningDaemon(served.home, of: service)
    #expect(try await daemon.ask("refresh").contains(#""event":"end","exit":0"#))
    #expect(await daemon.stop().outcome.code == 0)
  }

  @Test("A waiting service exits at once on SIGTERM and SIGINT", arguments: [SIGTERM, SIGINT])
  func waiting(signal: Int32) async throws {
    let served = try ServedHome(Self.members)
    let login = try await WaitingLogin(served.home)
    let service = try served.home.start(["daemon"])
    _ = await service.line(containing: "waiting for the end of", on: .error)
    service.signal(signal)
    #expect(await service.end().code == 0)
    // The login is not affected.
    _ = try await PlainBrowser.onThreadOfItsOwn { try login.browser.follow(login.grant()) }
    #expect(await login.program.end().code == 0)
  }

  @Test("Two concurrent logins use the same fixed port, and Ctrl-C on a third ends only that one")
  func twoLogins() async throws {
    let reserved = try ReservedPort()
    defer { withExtendedLifetime(reserved) {} }
    let served = try ServedHome(
      accounts: ["first", "second", "third"], Self.members, callback: #""port": \#(reserved.port)"#)
    let daemon = try await RunningDaemon(served.home)
    let first = try await WaitingLogin(served.home, ["first"])
    let second = try await WaitingLogin(served.home, ["second"])
    let third = try await WaitingLogin(served.home, ["third"])
    third.program.signal(SIGINT)
    #expect(await third.program.end().code == 128 + SIGINT)
    async let one = PlainBrowser.onThreadOfItsOwn { try first.browser.follow(first.grant()) }
    async let other = PlainBrowser.onThreadOfItsOwn { try second.browser.follow(second.grant()) }
    #expect(try await one.text.contains("first"))
    #expect(try await other.text.contains("second"))
    for login in [first, second] {
      let outcome = await login.program.end()
      #expect(outcome.code == 0, "\(outcome.error)")
    }
    #expect(try await eventually { try !served.temporaryFiles().contains { $0.contains("/third/") } })
    #expect(!File.exists(served.token(of: "third")))
    #expect(File.exists(served.token(of: "first")) && File.exists(served.token(of: "second")))
    #expect(await daemon.stop().outcome.code == 0)
  }
}
