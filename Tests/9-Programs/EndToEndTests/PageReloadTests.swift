import Formats
import Platform
import TestSupport
import Testing
import Time
import Timeline

/// When the published page loads itself again, in Chromium with a simulated clock (`Tests/Peers/page_reload.py`).
@Suite(.needsPeers, .needs("chromium"), .needs("chromedriver"), .timeLimit(.minutes(3))) struct PageReloadTests {
  private let now = DemoPage.now

  private func page(_ name: String, freshFor time: Duration, in folder: TemporaryFolder) throws -> String {
    var publication = DemoPage.publication(pictures: "media")
    publication.head.freshUntil = now + time
    let path = "\(folder.path)/\(name).html"
    try AtomicFile.write(PublishedFormat.html.bytes(of: publication), to: path, .replaced)
    return path
  }

  @Test(
    "The page reloads itself once when it is no longer fresh, but not while it is in use"
  )
  func reloads() async throws {
    let folder = TemporaryFolder()
    let outcome = try await ProgramRun.run(
      #require(Peers.python),
      [
        Peers.path(of: "page_reload.py"), page("first", freshFor: .seconds(1000), in: folder),
        page("next", freshFor: .seconds(5000), in: folder), "--now", now.rfc3339,
      ], environment: ProcessEnvironment.variables())
    if outcome.code == 77 { try skipTest("\(outcome.output)") }
    try #require(outcome.code == 0, "\(outcome.error)")
    let seen = try JSONValue(Array(outcome.output.utf8))
    func loads(_ step: String) -> [Int?] { seen[step].items.map(\.integer) }
    #expect(seen["fresh"].integer == 0)
    #expect(seen["over"].integer == 0 && seen["over_is_overdue"] == .boolean(false))
    for step in ["hidden", "scrolled", "focused", "help"] { #expect(seen[step].integer == 0, "\(step)") }
    #expect(seen["scrolled_is_overdue"] == .boolean(true))
    #expect(seen["unused"].integer == 1)
    #expect(loads("same") == [0, 0, 0] && seen["same_is_overdue"] == .boolean(true))
    #expect(seen["next_is_overdue"] == .boolean(false))
    #expect(loads("next") == [0, 0, 0, 0, 1] && loads("end") == [0, 0])
  }
}
