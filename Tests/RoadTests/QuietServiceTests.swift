import Glibc
import Platform
import Sandbox
import TestSupport
import Testing

/// What the service needs while nothing is to be done.
@Suite("An idle service") struct QuietServiceTests {
  /// What the kernel has counted of a process.
  private struct Standing: Equatable {
    /// How often each of its threads has waited for something, and how long it has run, in ticks.
    var switches: [String: Int] = [:]
    var ticks: [String: Int] = [:]
    var threads: Int { switches.count }
    /// What each of them is, by kind.
    var descriptors: [String: Int] = [:]

    init(of process: Int32) throws {
      for thread in try Folder.names(in: "/proc/\(process)/task") {
        guard let status = try? File.read("/proc/\(process)/task/\(thread)/status", limit: 1 << 16),
          let stat = try? File.read("/proc/\(process)/task/\(thread)/stat", limit: 1 << 16)
        else { continue }
        let line = String(decoding: status, as: UTF8.self).split(separator: "\n")
          .first { $0.hasPrefix("voluntary_ctxt_switches:") }
        switches[thread] = line.flatMap { Int($0.split(separator: "\t")[1]) } ?? 0
        // Behind the name, which may have any letters: state is the first field, utime and stime are the 12th and 13th (proc(5)).
        let fields = String(decoding: stat, as: UTF8.self).split(separator: ")").last?.split(separator: " ") ?? []
        ticks[thread] = fields.count > 12 ? (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0) : 0
      }
      for name in try Folder.names(in: "/proc/\(process)/fd") {
        var text = [UInt8](repeating: 0, count: 1024)
        let count = text.withUnsafeMutableBytes { readlink("/proc/\(process)/fd/\(name)", $0.baseAddress!, $0.count) }
        guard count > 0 else { continue }
        // A socket's name has its number in it.
        descriptors[String(decoding: text[..<count], as: UTF8.self).filter { !$0.isNumber }, default: 0] += 1
      }
    }
  }

  private static let members = #""refresh_seconds": 86400, "keep_posts": 20"#

  /// Waits until the threads that had something to do have ended: Dispatch keeps them for some seconds.
  private func settled(_ process: Int32) async throws -> Standing {
    var before = try Standing(of: process)
    for _ in 0..<40 {
      try await Task.sleep(for: .milliseconds(1500))
      let now = try Standing(of: process)
      if now == before { return now }
      before = now
    }
    return before
  }

  @Test(
    "An idle service uses no CPU time, and abandoned logins leave no descriptors or threads behind",
    .disabled(if: Sanitizer.isOn, "a sanitizer has a thread that wakes up"))
  func quiet() async throws {
    let served = try ServedHome(accounts: ["demo", "other"], Self.members)
    let daemon = try await RunningDaemon(served.home)
    let process = daemon.program.process
    try await served.logIn("demo", by: daemon)
    try await served.logIn("other", by: daemon)
    // libcurl keeps some connections for the next request, until it has as many as it keeps.
    try await abandon(daemon, 20)
    let first = try await settled(process)
    try await Task.sleep(for: .milliseconds(1500))
    let second = try Standing(of: process)
    // A thread that Dispatch has let go of meanwhile is missing, and none that is there has run.
    #expect(second.switches.allSatisfy { first.switches[$0.key] == $0.value })
    #expect(second.ticks.allSatisfy { first.ticks[$0.key] == $0.value })
    #expect(!second.switches.isEmpty)
    // Dispatch lets go of its own after some seconds.
    #expect(try await eventually { try Standing(of: process).threads <= 4 })

    try await abandon(daemon, 50)
    for _ in 0..<200 { _ = try await daemon.status() }
    let third = try await settled(process)
    // Each of the fifty and the two hundred would show; a thread of Dispatch or a connection of libcurl more or less does not.
    let sockets = "socket:[]"
    #expect(third.descriptors[sockets]! < first.descriptors[sockets]! + 20)
    #expect(third.descriptors.filter { $0.key != sockets } == first.descriptors.filter { $0.key != sockets })
    #expect(third.threads < first.threads + 20, "\(first.threads) threads became \(third.threads)")
    #expect(try served.temporaryFiles() == [])
    #expect(await daemon.stop().outcome.code == 0)
  }

  /// Begins logins and goes away from each.
  private func abandon(_ daemon: RunningDaemon, _ count: Int) async throws {
    for number in 0..<count {
      let (stream, _) = try await daemon.beginLogin(number % 2 == 0 ? "demo" : "other")
      stream.close()
    }
    #expect(
      try await eventually {
        let client = try TestClient(unix: daemon.socket)
        try client.request("/v1/status", fields: ["Connection: close"])
        let accounts = try JSONValue(client.answer().body)["accounts"].items
        return accounts.allSatisfy { $0["activity"].text == "idle" }
      })
  }
}
