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
}
