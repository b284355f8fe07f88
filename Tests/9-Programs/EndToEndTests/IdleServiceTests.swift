import Glibc
import Platform
import Sandbox
import SandboxSupport
import TestSupport
import Testing

/// The resources that a service uses while it has no work.
@Suite("An idle service")
struct IdleServiceTests {
  /// The kernel's counters for a process.
  private struct Standing: Equatable {
    /// Each thread's voluntary context switches and CPU ticks.
    var switches: [String: Int] = [:]
    var ticks: [String: Int] = [:]
    var threads: Int { switches.count }
    /// The number of open descriptors of each kind.
    var descriptors: [String: Int] = [:]

    init(of process: Int32) throws {
      for thread in try Folder.names(in: "/proc/\(process)/task") {
        guard let status = try? File.read("/proc/\(process)/task/\(thread)/status", limit: 1 << 16),
          let stat = try? File.read("/proc/\(process)/task/\(thread)/stat", limit: 1 << 16)
        else { continue }
        let line = String(decoding: status, as: UTF8.self).split(separator: "\n")
          .first { $0.hasPrefix("voluntary_ctxt_switches:") }
        switches[thread] = line.flatMap { Int($0.split(separator: "\t")[1]) } ?? 0
        // The fields after the name, which may contain any characters. The first is the state; the 12th and 13th are
        // utime and stime (proc_pid_stat(5)).
        let fields = String(decoding: stat, as: UTF8.self).split(separator: ")").last?.split(separator: " ") ?? []
        ticks[thread] = fields.count > 12 ? (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0) : 0
      }
      for name in try Folder.names(in: "/proc/\(process)/fd") {
        var text = [UInt8](repeating: 0, count: 1024)
        let count = text.withUnsafeMutableBytes { readlink("/proc/\(process)/fd/\(name)", $0.baseAddress!, $0.count) }
        guard count > 0 else { continue }
        // The number in a socket's name is removed.
        descriptors[String(decoding: text[..<count], as: UTF8.self).filter { !$0.isNumber }, default: 0] += 1
      }
    }
  }

  private static let members = #""refresh_seconds": 86400, "keep_posts": 20"#

  /// Waits until worker threads have ended, which Dispatch keeps for some seconds.
  private func settled(_ process: Int32) async throws -> Standing {
    var counters: Standing?
    _ = try await eventually(every: .milliseconds(1500)) {
      let former = counters
      counters = try Standing(of: process)
      return counters == former
    }
    return try #require(counters)
  }

  @Test(
    "An idle service uses no CPU time, and abandoned logins leave no descriptors or threads behind",
    .disabled(if: Sanitizer.isOn, "the sanitizer's own thread wakes up"))
  func quiet() async throws {
    let fixture = try TwitterFixture(accounts: ["demo", "other"], Self.members)
    let daemon = try await RunningDaemon(fixture.home)
    let process = daemon.program.process
    try await daemon.logIn("demo")
    try await daemon.logIn("other")
    // Fill libcurl's connection cache.
    try await abandon(daemon, 20)
    let first = try await settled(process)
    // From here on, no thread may run.
    try await Task.sleep(for: .milliseconds(1500))
    let second = try Standing(of: process)
    // Dispatch may have ended threads in the meantime, but no remaining thread may have run.
    #expect(second.switches.allSatisfy { first.switches[$0.key] == $0.value })
    #expect(second.ticks.allSatisfy { first.ticks[$0.key] == $0.value })
    #expect(!second.switches.isEmpty)
    // Dispatch ends idle threads after some seconds.
    #expect(try await eventually { try Standing(of: process).threads <= 4 })

    try await abandon(daemon, 50)
    for _ in 0..<200 { _ = try await daemon.status() }
    let third = try await settled(process)
    // Leaks from 50 logins and 200 requests would show, whereas a difference of a single thread or connection is
    // tolerated.
    let sockets = "socket:[]"
    #expect(third.descriptors[sockets]! < first.descriptors[sockets]! + 20)
    #expect(third.descriptors.filter { $0.key != sockets } == first.descriptors.filter { $0.key != sockets })
    #expect(third.threads < first.threads + 20, "\(first.threads) threads became \(third.threads)")
    #expect(try fixture.home.temporaryFiles() == [])
    #expect(await daemon.stop().outcome.code == 0)
  }

  @Test(
    "A service whose web page is open uses no CPU time while nothing changes",
    .disabled(if: Sanitizer.isOn, "the sanitizer's own thread wakes up"))
  func openPage() async throws {
    let port = try ReservedPort()
    let fixture = try await PostingFixture(
      withService: true, #""keep_posts": 20"#, more: #""web": {"port": \#(port.port)}, "media": {"megabytes": 0}"#)
    try await fixture.run("refresh")
    let entry = try await fixture.run("web", "--print").dropLast()
    let ticket = String(entry[try #require(entry.firstRange(of: "/enter")).lowerBound...])
    let stream = try await OwnThread.run {
      let client = try TestClient(port: port.port)
      try client.request(ticket)
      let head = try client.readResponse().head
      let cookie = try #require(head.firstMatch(of: /Set-Cookie: ([^;]+);/)).1
      for page in ["/", "/a/demo", "/status"] {
        try client.request(page, fields: ["Cookie: \(cookie)"])
        try #require(client.readResponse().status == 200)
      }
      try client.request("/events", fields: ["Cookie: \(cookie)"])
      try #require(client.readResponse().status == 200)
      return client
    }
    let process = try #require(fixture.daemon).program.process
    let first = try await settled(process)
    // From here on, no thread may run.
    try await Task.sleep(for: .milliseconds(1500))
    let second = try Standing(of: process)
    #expect(second.switches.allSatisfy { first.switches[$0.key] == $0.value })
    #expect(second.ticks.allSatisfy { first.ticks[$0.key] == $0.value })
    #expect(!second.switches.isEmpty)
    // The stream was open all the time.
    fixture.post(1)
    try await fixture.run("refresh")
    let text = try await OwnThread.run { () throws -> String in
      var text = ""
      while !text.contains(#""page":"/a/demo""#) { text += String(decoding: try stream.receive(), as: UTF8.self) }
      return text
    }
    #expect(text.contains("event: beginning"))
    await fixture.end()
  }

  /// Starts logins and abandons each by disconnecting.
  private func abandon(_ daemon: RunningDaemon, _ count: Int) async throws {
    for number in 0..<count {
      let (stream, _) = try await daemon.beginLogin(number % 2 == 0 ? "demo" : "other")
      stream.close()
    }
    #expect(try await daemon.becomesIdle())
  }
}
