import Bytes
import Commands
import Storage
import Testing
import Time
import Timeline

@testable import Diagnosis
@testable import Platform

/// Checks that judge a single fact.
@Suite struct CheckTests {
  @Test(
    "the state of the systemd unit, and whether a service is needed, determine the level of the finding",
    arguments: [
      ("LoadState=not-found\nActiveState=inactive", ServiceNeed.none, Finding.Level.ok),
      ("LoadState=not-found\nActiveState=inactive", .missing, .warning),
      ("LoadState=not-found\nActiveState=inactive", .cron, .ok),
      ("LoadState=masked\nActiveState=inactive", .none, .warning),
      ("LoadState=loaded\nActiveState=failed\nResult=exit-code", .none, .fault),
      ("LoadState=loaded\nActiveState=active\nNRestarts=0\nUnitFileState=enabled", .running, .ok),
      ("LoadState=loaded\nActiveState=active\nNRestarts=2", .running, .warning),
      ("LoadState=loaded\nActiveState=activating\nSubState=auto-restart", .none, .warning),
      ("LoadState=loaded\nActiveState=inactive\nUnitFileState=enabled", .none, .warning),
      ("LoadState=loaded\nActiveState=inactive\nUnitFileState=disabled", .none, .ok),
      ("LoadState=loaded\nActiveState=inactive\nUnitFileState=disabled", .missing, .warning),
      ("LoadState=loaded\nActiveState=inactive\nUnitFileState=enabled", .running, .ok),
      ("", .none, .ok),
    ])
  func units(text: String, need: ServiceNeed, level: Finding.Level) {
    #expect(UnitCheck.finding(about: UnitState(text), need: need, start: .unit).level == level)
  }

  @Test("without systemd, an account that is not refreshed causes a warning with the line for crontab")
  func withoutSystemd() {
    let start = ServiceStart.cron(CrontabLine(program: "/opt/homeline/bin/homeline", isUsable: true))
    let finding = UnitCheck.finding(about: nil, need: .missing, start: start)
    #expect(finding.level == .warning)
    #expect(
      finding.nextStep?.plain.hasSuffix(": */2 * * * * /opt/homeline/bin/homeline daemon --once >/dev/null") == true)
    #expect(UnitCheck.finding(about: nil, need: .running, start: start).level == .ok)
  }

  @Test(
    "low free disk space causes a warning, and almost no free space causes a fault",
    arguments: [
      (FreeSpace(bytes: 1 << 30, files: nil), Finding.Level.ok), (FreeSpace(bytes: 100 << 20, files: 9), .warning),
      (FreeSpace(bytes: 1 << 20, files: 9), .fault), (FreeSpace(bytes: 1 << 30, files: 0), .fault),
    ])
  func diskSpace(space: FreeSpace, level: Finding.Level) {
    #expect(DiskSpaceCheck.finding(about: space, in: "/x").level == level)
  }

  @Test("the free space of an existing folder can be read, and a missing folder causes an error")
  func freeSpace() throws {
    #expect(try FreeSpace.of("/").bytes > 0)
    #expect(throws: SystemError.self) { try FreeSpace.of("/nonexistent") }
  }

  @Test(
    "a clock skew above 15 s causes a warning, and one above 5 minutes a fault",
    arguments: [(0, []), (14, []), (-60, [Finding.Level.warning]), (301, [.fault]), (-301, [.fault])])
  func clock(seconds: Int, levels: [Finding.Level]) throws {
    let origin = try RequestURL("https://social.example/")
    let probe = ServerCheck.Probe(status: 200, clockDifference: .seconds(seconds), time: .milliseconds(5))
    let findings = ServerCheck.findings(origin, .success(probe))
    #expect(findings.map(\.level) == [.ok] + levels)
    #expect(findings[0].text.plain == "social.example responds over TLS, status 200, in 5 ms")
  }

  @Test("a server's time in whole seconds counts as the middle of that second")
  func difference() {
    let local = Timestamp(milliseconds: 1_000_900)
    #expect(ServerCheck.difference(Timestamp(milliseconds: 1_000_000), local) == .milliseconds(-400))
  }

  private static let now = Timestamp(seconds: 1_800_000_000)

  private static func lifetime(
    expires: Timestamp?, refresh: Bool, refusal: RenewalRefusal.Kind? = nil
  ) -> TokenLifetime {
    let token = BearerToken(
      accessToken: Secret("a"), refreshToken: refresh ? Secret("r") : nil, scope: nil, clientID: "c", issuedAt: now,
      expiresAt: expires, renewAt: nil)
    return TokenLifetime(
      StoredToken(
        provider: "x", identity: AccountIdentity(server: "s", user: User(id: "1", screenName: "n", name: "N")),
        grant: .oauth2(token), authorisedAt: now, refusal: refusal.map { RenewalRefusal($0, "", at: now) }))
  }

  @Test(
    "a token that only a login can replace causes a warning in its last week, and a fault once it has expired",
    arguments: [
      (Self.lifetime(expires: nil, refresh: false), Finding.Level?.none),
      (Self.lifetime(expires: now + .seconds(30 * 86_400), refresh: false), nil),
      (Self.lifetime(expires: now + .seconds(86_400), refresh: false), .warning),
      (Self.lifetime(expires: now - .seconds(1), refresh: false), .fault),
      (Self.lifetime(expires: now - .seconds(1), refresh: true), nil),
      (Self.lifetime(expires: now + .seconds(60), refresh: true, refusal: .repeated), .warning),
      (Self.lifetime(expires: now + .seconds(60), refresh: true, refusal: .final), .fault),
    ])
  func tokens(lifetime: TokenLifetime, level: Finding.Level?) {
    #expect(TokenCheck.problem("bird", lifetime, at: Self.now)?.level == level)
  }
}
