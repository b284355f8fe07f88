import Folders
import Platform
import TestSupport
import Testing

@Suite("The web page under load", .needsPeers, .timeLimit(.minutes(3))) struct WebFloodTests {
  @Test("Pages are answered while 500 silent and 500 slow connections are open")
  func slowConnections() async throws {
    let port = try ReservedPort()
    let fixture = try await PostingFixture(
      withService: true, #""keep_posts": 20"#,
      more: #""web": {"port": \#(port.port)}, "media": {"megabytes": 0}"#)
    try await fixture.run("refresh")
    let entry = try await fixture.run("web", "--print").dropLast()
    let jar = "\(fixture.home.path)/jar"
    let entered = try await fixture.home.shell("curl --silent --show-error --fail --cookie-jar '\(jar)' '\(entry)'")
    try #require(entered.code == 0, "\(entered.error)")
    let slow = try Peers.start("slow_connections.py", ["\(port.port)", "500", "500"])
    try #require(await slow.line(containing: "open") != nil, "\(slow.written(on: .error))")
    let pages = try await fixture.home.shell(
      """
      set -e
      for number in $(seq 50); do
        curl --silent --show-error --fail --cookie '\(jar)' http://127.0.0.1:\(port.port)/a/demo | grep -c '<article '
      done
      """)
    #expect(pages.code == 0 && pages.output == String(repeating: "50\n", count: 50), "\(pages.output) \(pages.error)")
    #expect(slow.isRunning)
    slow.endInput()
    let outcome = await slow.end()
    #expect(outcome.code == 0 && outcome.output.split(separator: "\n").last.flatMap { Int($0) } ?? 0 >= 1000)
    await fixture.end()
  }

  @Test("With 1,024 descriptors, refreshes succeed while 600 clients ask for pictures and do not read them")
  func unreadPictures() async throws {
    try #require(OpenFileLimit.raise() > 3_000, "the hard limit of open files is too low: ulimit -Hn")
    let port = try ReservedPort()
    let fixture = try await PostingFixture(
      withService: true, #""keep_posts": 20"#,
      more: #""web": {"port": \#(port.port)}, "media": {"megabytes": 0}"#)
    let process = try #require(fixture.daemon).program.process
    _ = try await fixture.home.shell("prlimit --pid \(process) --nofile=1024:1024")
    let layout = FileLayout(try #require(BaseDirectories(environment: fixture.home.environment())))
    let picture = "aa/\(String(repeating: "a", count: 64)).jpg"
    try Folder.create("\(layout.mediaFolder)/aa")
    try AtomicFile.write([UInt8](repeating: 1, count: 4 << 20), to: "\(layout.mediaFolder)/\(picture)", .replaced)
    let entry = try await fixture.run("web", "--print").dropLast()
    let entered = try TestClient.get(String(entry.dropFirst("http://127.0.0.1:\(port.port)".count)), port: port.port)
    let cookie = String(try #require(entered.head.firstMatch(of: /Set-Cookie: ([^;]+)/)).1)
    let clients = (0..<600).compactMap { _ -> TestClient? in
      guard let client = try? TestClient(port: port.port, receiveBuffer: 2048),
        (try? client.request("/m/\(picture)", fields: ["Cookie: \(cookie)"])) != nil
      else { return nil }
      return client
    }
    let descriptors = { try Folder.names(in: "/proc/\(process)/fd").count }
    // The service has opened all pictures that it will open once the number stays the same.
    #expect(
      try await eventually {
        let before = try descriptors()
        try await Task.sleep(for: .milliseconds(500))
        return try before > 400 && descriptors() == before
      })
    #expect(try descriptors() < 768, "descriptors are left for refreshes")
    try await fixture.run("refresh")
    #expect(clients.count > 200)
    withExtendedLifetime(clients) {}
    await fixture.end()
  }
}
