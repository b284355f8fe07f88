import Glibc
import Platform
import Sandbox
import TestSupport
import Testing

/// Hundreds of accounts with work at the same time.
@Suite("A service with hundreds of accounts", .serialized) struct ManyAccountsTests {
  /// Pictures are off, because these tests do not concern them.
  private static let media = #""media": {"megabytes": 0}"#

  /// Authorises all accounts by copying the token of one login.
  private static func authorise(_ names: [String], of served: ServedHome) async throws {
    try served.configure([names[0]], #""keep_posts": 20"#)
    let daemon = try await RunningDaemon(served.home)
    try await served.logIn(names[0], by: daemon)
    #expect(await daemon.stop().outcome.code == 0)
    let token = try served.home.read(served.token(of: names[0]))
    for name in names.dropFirst() { try served.home.write(token, to: served.token(of: name)) }
  }

  private static func threads(of process: Int32) -> Int {
    (try? Folder.names(in: "/proc/\(process)/task").count) ?? 0
  }

  @Test("The service uses at most 32 threads at start and while it refreshes 100 accounts")
  func numberOfThreads() async throws {
    let served = try ServedHome(accounts: [])
    let names = (1...100).map { "a\($0)" }
    try await Self.authorise(names, of: served)
    try served.configure(names.map { ($0, served.account(#""keep_posts": 20"#)) }, more: Self.media)
    let program = try served.home.start(["daemon"])
    // An idle thread stays for some seconds, so sampling sees each.
    let watch = Task {
      var most = 0
      while !Task.isCancelled {
        most = max(most, Self.threads(of: program.process))
        try? await Task.sleep(for: .milliseconds(10))
      }
      return most
    }
    #expect(await program.line(containing: " is up: ", on: .error) != nil)
    let daemon = try RunningDaemon(served.home, of: program)
    let events = try await daemon.ask("refresh")
    #expect(events.contains(#""event":"end","exit":0"#), "\(events)")
    watch.cancel()
    let most = await watch.value
    #expect((2...32).contains(most), "\(most)")
    #expect(await daemon.stop().outcome.code == 0)
  }

  @Test("The service responds and stops while every account waits for its secret command")
  func blocked() async throws {
    let served = try ServedHome(accounts: [])
    let names = (1...300).map { "a\($0)" }
    try await Self.authorise(names, of: served)
    // A FIFO without a writer. Each account has its own host, so that none waits for another's request.
    let fifo = "\(served.home.path)/secret"
    #expect(mkfifo(fifo, 0o600) == 0)
    let accounts = names.enumerated().map { number, name in
      let text = served.account(
        "", elsewhere: ["home_timeline": "http://127.0.0.1:\(20_000 + number)/home_timeline"]
      ).replacing(#""\#(ServedHome.consumerSecret)""#, with: #"{"command": ["cat", "\#(fifo)"]}"#)
      return (name: name, text: text)
    }
    try served.configure(accounts, more: Self.media)
    let daemon = try await RunningDaemon(served.home)
    // Some commands are waiting now; a service with one thread per account would have started all.
    let process = daemon.program.process
    #expect(try await eventually { try Self.children(of: process) >= 4 }, "\(daemon.said)")
    let accountsOfStatus = try await daemon.status()["accounts"].items
    #expect(accountsOfStatus.count == names.count)
    // No command has been given up meanwhile.
    #expect(try Self.children(of: process) >= 4)
    #expect(!daemon.said.contains("cannot be had"), "\(daemon.said)")
    let stopped = await daemon.stop()
    #expect(stopped.outcome.code == 0)
    #expect(!stopped.outcome.error.contains("cannot be had"), "\(stopped.outcome.error)")
    // Releases secret commands that outlive the service.
    close(open(fifo, O_RDWR | O_NONBLOCK))
  }

  /// The number of running child processes.
  private static func children(of process: Int32) throws -> Int {
    try Folder.names(in: "/proc").count { name in
      guard name.first?.isNumber == true, let text = try? File.read("/proc/\(name)/stat", limit: 4096) else {
        return false
      }
      // The parent is the second field after the name in parentheses (proc_pid_stat(5)).
      let fields = String(decoding: text, as: UTF8.self).split(separator: ")").last?.split(separator: " ") ?? []
      return fields.count > 1 && fields[1] == "\(process)" && fields[0] != "Z"
    }
  }
}
