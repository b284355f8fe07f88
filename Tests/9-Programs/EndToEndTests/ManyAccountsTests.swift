import Glibc
import Platform
import Sandbox
import SandboxSupport
import TestSupport
import Testing

/// Hundreds of accounts with work to do at the same time.
@Suite("A service with hundreds of accounts", .serialized) struct ManyAccountsTests {
  /// Pictures are turned off, because they do not matter for these tests.
  private static let media = #""media": {"megabytes": 0}"#

  /// Authorises all accounts with copies of the token from a single login.
  private static func authorise(_ names: [String], of fixture: TwitterFixture) async throws {
    try fixture.configure([names[0]], #""keep_posts": 20"#)
    let daemon = try await RunningDaemon(fixture.home)
    try await daemon.logIn(names[0])
    #expect(await daemon.stop().outcome.code == 0)
    let token = try fixture.home.read(fixture.home.token(of: names[0]))
    for name in names.dropFirst() { try fixture.home.write(token, to: fixture.home.token(of: name)) }
  }

  @Test("The service uses at most 32 threads when it starts and while it refreshes 100 accounts")
  func numberOfThreads() async throws {
    let fixture = try TwitterFixture(accounts: [])
    let names = (1...100).map { "a\($0)" }
    try await Self.authorise(names, of: fixture)
    try fixture.configure(names.map { ($0, fixture.account(#""keep_posts": 20"#)) }, more: Self.media)
    let program = try fixture.home.start(["daemon"])
    // Dispatch keeps idle threads for some seconds, so sampling misses none.
    let statistics = ProcessStatistics(process: program.process)
    let watch = Task {
      var most = 0
      while !Task.isCancelled {
        most = max(most, statistics.threads)
        try? await Task.sleep(for: .milliseconds(10))
      }
      return most
    }
    #expect(await program.line(containing: " is up: ", on: .error) != nil)
    let daemon = try RunningDaemon(fixture.home, of: program)
    let events = try await daemon.request("refresh")
    #expect(events.contains(#""event":"end","exit":0"#), "\(events)")
    watch.cancel()
    let most = await watch.value
    #expect((2...32).contains(most), "\(most)")
    #expect(await daemon.stop().outcome.code == 0)
  }

  @Test("The service responds to requests and stops on a signal even while every account waits for its secret command")
  func blocked() async throws {
    let fixture = try TwitterFixture(accounts: [])
    let names = (1...300).map { "a\($0)" }
    try await Self.authorise(names, of: fixture)
    // The secret commands read a FIFO that has no writer. Each account has its own host, so that none waits for
    // another's request.
    let fifo = "\(fixture.home.path)/secret"
    #expect(mkfifo(fifo, 0o600) == 0)
    let accounts = names.enumerated().map { number, name in
      let text = fixture.account(
        "", elsewhere: ["home_timeline": "http://127.0.0.1:\(20_000 + number)/home_timeline"]
      ).replacing(#""\#(TwitterFixture.consumerSecret)""#, with: #"{"command": ["cat", "\#(fifo)"]}"#)
      return (name: name, text: text)
    }
    try fixture.configure(accounts, more: Self.media)
    let daemon = try await RunningDaemon(fixture.home)
    // Some commands are waiting by now. A service with a thread for each account would have started all of them.
    let statistics = ProcessStatistics(process: daemon.program.process)
    #expect(try await eventually { try statistics.children() >= 4 }, "\(daemon.log)")
    let accountsOfStatus = try await daemon.status()["accounts"].items
    #expect(accountsOfStatus.count == names.count)
    // The service has not given up on any command in the meantime.
    #expect(try statistics.children() >= 4)
    #expect(!daemon.log.contains("could not get the"), "\(daemon.log)")
    let stopped = await daemon.stop()
    #expect(stopped.outcome.code == 0)
    #expect(!stopped.outcome.error.contains("could not get the"), "\(stopped.outcome.error)")
    // End the secret commands that outlive the service.
    close(open(fifo, O_RDWR | O_NONBLOCK))
  }
}
