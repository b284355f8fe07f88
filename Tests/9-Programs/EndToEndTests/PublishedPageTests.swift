import Formats
import Platform
import TestSupport
import Testing
import Time
import Timeline

/// The published page in Chromium, with a demo timeline and with malicious posts.
@Suite(.needsPeers, .needs("chromium"), .needs("chromedriver"), .timeLimit(.minutes(3))) struct PublishedPageTests {
  /// The report on an inspected page, and the page's folder.
  private struct Seen: Sendable {
    let report: JSONValue
    let folder: String
  }

  /// The reports; each page is inspected only once. If HOMELINE_PAGE_PICTURES names a folder, screenshots of the demo
  /// page are stored there.
  private static let demonstrationLook = Task { () async throws -> Seen in
    let folder = TemporaryFolder()
    try await PageReport.draw(into: "\(folder.path)/media")
    let page = try await PageReport(
      at: DemoPage.publication(pictures: "media"), in: folder,
      pictures: ProcessEnvironment.variables()["HOMELINE_PAGE_PICTURES"])
    return Seen(report: page.report, folder: folder.path)
  }

  private static let hostileLook = Task { () async throws -> Seen in
    let folder = TemporaryFolder()
    try Folder.create("\(folder.path)/evil.example")
    for file in HostilePage.files { try AtomicFile.write(HostilePage.pixel, to: "\(folder.path)/\(file)", .replaced) }
    let page = try await PageReport(
      at: HostilePage.publication, in: folder, spills: HostilePage.spills)
    return Seen(report: page.report, folder: folder.path)
  }

  private static var demonstration: Seen { get async throws { try seen(await demonstrationLook.result) } }
  private static var hostile: Seen { get async throws { try seen(await hostileLook.result) } }

  private static func seen(_ result: Result<Seen, any Error>) throws -> Seen {
    do { return try result.get() } catch let error as PageReport.Unavailable { try skipTest("\(error.reason)") }
  }

  private static let sights = ["light", "dark", "phone", "plain"]

  @Test("The published page loads nothing but its own pictures and logs no errors to the console")
  func network() async throws {
    let seen = try await Self.demonstration
    #expect(seen.report["console"].items.isEmpty, "\(seen.report["console"])")
    let requests = seen.report["requests"].items.compactMap(\.text)
    #expect(requests.contains { $0.hasSuffix("/media/dusk.png") })
    #expect(requests.allSatisfy { $0.hasPrefix("file://\(seen.folder)/") || $0.hasPrefix("data:image/svg+xml,") })
    for sight in Self.sights { #expect(seen.report[sight]["broken_pictures"].integer == 0) }
  }

  @Test("The published page has a light and a dark theme, both with enough contrast for all text")
  func contrast() async throws {
    let report = try await Self.demonstration.report
    #expect(report["light"]["ground"].text != report["dark"]["ground"].text)
    #expect(report["light"]["ink"].text != report["dark"]["ink"].text)
    for sight in Self.sights {
      let least = report[sight]["least_contrast"].items
      // Contrast ratios are in thousandths. The minimum is 4.5:1 (WCAG 2.2 §1.4.3).
      #expect(try #require(least.last?.integer) >= 4500, "\(sight): \(least)")
    }
  }

  @Test("On the page, keyboard shortcuts move between posts, open them, and show the help")
  func keys() async throws {
    let report = try await Self.demonstration.report
    let steps = report["keys"].items
    let post = (1...8).map { "post-garden-\($0)" }
    #expect(steps.map { $0["key"].text } == ["j", "j", "k", "G", "g", "o", "Enter", "?", "Escape", "j"])
    let focus = steps.map { $0["focus"].text }
    #expect(focus.prefix(7) == [post[0], post[1], post[0], post[7], post[0], post[0], post[0]], "\(focus)")
    #expect(focus.last == post[1], "\(focus)")
    #expect(steps.map { $0["help"] == .boolean(true) } == [Bool](repeating: false, count: 7) + [true, false, false])
    #expect(steps[4]["opened"].integer == 0)
    #expect(steps[6]["opened"].integer == 2)
    #expect(steps[6]["last"].text == "https://shore.example/@1/1")
  }

  @Test("Without JavaScript, the published page is complete, but offers no keyboard shortcuts")
  func withoutScript() async throws {
    let report = try await Self.demonstration.report
    #expect(report["plain"]["keys_offered"] == .boolean(false))
    #expect(report["light"]["keys_offered"] == .boolean(true))
    #expect(report["plain"]["posts"].items.count == 8)
    #expect(report["plain"]["ages"] == report["light"]["ages"], "the script must compute the same ages as the page")
    #expect(report["plain"]["ages"].items.first?.text == "2 min")
    let text = try #require(report["plain"]["text"].text)
    for expected in [
      "Read up to here", "Posts may be missing here", "Times and days are in UTC", "12,408 stored",
      "also at blog.fields",
    ] {
      #expect(text.contains(expected), "\(expected)")
    }
    #expect(!text.contains("overdue") && !text.contains("the next post, the one before"))
  }

  @Test("On a screen 360 pixels wide, the page does not scroll sideways and no text is cut off")
  func phone() async throws {
    let (own, hostile) = (try await Self.demonstration.report, try await Self.hostile.report)
    for report in [own, hostile] { #expect(try #require(report["phone"]["scroll_width"].integer) <= 360) }
    for sight in Self.sights {
      #expect(own[sight]["clipped"].items.isEmpty, "\(own[sight]["clipped"])")
      // In some fonts, a letter with thousands of marks is wider than its box and is cut off at the edge.
      let clipped = hostile[sight]["clipped"].items.compactMap(\.text).filter { !$0.hasSuffix("-marks") }
      #expect(clipped.allSatisfy { $0.hasPrefix("notice") }, "\(clipped)")
    }
  }

  @Test(
    "Malicious posts cannot run scripts, add elements, load resources, or link to anything but web addresses")
  func harmless() async throws {
    let (seen, benign) = (try await Self.hostile, try await Self.demonstration)
    let report = seen.report
    #expect(report["console"].items.isEmpty, "\(report["console"])")
    let requests = report["requests"].items.compactMap(\.text)
    let own = [
      "\(seen.folder)/home_timeline.html", "\(seen.folder)/javascript%3awindow.owned%3d1",
      "\(seen.folder)///evil.example/p.png",
    ]
    #expect(
      requests.allSatisfy { request in own.contains { request == "file://\($0)" } || request.hasPrefix("data:image/svg")
      })
    let known = Set(benign.report["light"]["elements"].items.compactMap(\.text)).union(["section", "strong", "code"])
    for sight in Self.sights {
      let looks = report[sight]
      #expect(looks["owned"].text == "undefined")
      #expect(looks["scripts"].integer == 1)
      #expect(looks["handlers"].integer == 0)
      #expect(looks["title"].text?.contains("<script>window.owned=1</script>") == true)
      let elements = Set(looks["elements"].items.compactMap(\.text))
      #expect(elements.isSubset(of: known), "\(elements.subtracting(known))")
      let links = looks["links"].items.compactMap(\.text)
      #expect(links.count > 20)
      #expect(links.allSatisfy { $0.hasPrefix("#") || $0.hasPrefix("https://") || $0.hasPrefix("http://") })
      // No link contains a user name before the host, because readers could mistake it for the host.
      #expect(links.allSatisfy { link in link.hasPrefix("#") || !link.split(separator: "/")[1].contains("@") })
    }
  }

  @Test("The browser draws each post inside its own box, regardless of its text")
  func spills() async throws {
    for seen in [try await Self.demonstration, try await Self.hostile] {
      let report = seen.report
      #expect(report["spills"].items.isEmpty, "\(report["spills"])")
      for sight in Self.sights {
        #expect(report[sight]["covered"].items.isEmpty)
        let boxes = report[sight]["posts"].items.map { $0["box"].items.compactMap(\.integer) }
        for (above, below) in zip(boxes, boxes.dropFirst()) { #expect(above[3] <= below[1], "\(above) \(below)") }
      }
    }
  }

  @Test("Bidirectional text in a post does not reorder the text around it")
  func directions() async throws {
    let report = try await Self.hostile.report
    let places = report["light"]["order"].items.compactMap(\.text)
    #expect(!places.isEmpty)
    #expect(places.allSatisfy { $0 == "name,handle,when" }, "\(places)")
  }
}

/// The report of `Tests/Peers/page_looks.py` on a page in Chromium.
private struct PageReport {
  struct Unavailable: Error {
    let reason: String
  }

  let report: JSONValue

  /// Writes a page to a folder and inspects it.
  /// - Parameters:
  ///   - spills: the `id`s of the posts to check for painting over other posts.
  ///   - pictures: the folder for screenshots; `nil` for no screenshots.
  /// - Throws: ``Unavailable`` if Chromium cannot run on this machine.
  init(at publication: Publication, in folder: TemporaryFolder, spills: [String] = [], pictures: String? = nil)
    async throws
  {
    let page = "\(folder.path)/home_timeline.html"
    try AtomicFile.write(PublishedFormat.html.bytes(of: publication), to: page, .replaced)
    let outcome = try await Self.run(
      "page_looks.py",
      [page, "--now", publication.madeAt.rfc3339] + spills.flatMap { ["--spills", $0] }
        + (pictures.map { ["--pictures", $0] } ?? []))
    if outcome.code == 77 { throw Unavailable(reason: outcome.output) }
    try #require(outcome.code == 0, "\(outcome.error)")
    report = try JSONValue(Array(outcome.output.utf8))
  }

  /// Creates screenshots of the demo page in a folder.
  static func draw(into folder: String) async throws {
    let outcome = try await run("page_pictures.py", [folder])
    try #require(outcome.code == 0, "\(outcome.error)")
  }

  private static func run(_ program: String, _ arguments: [String]) async throws -> ProgramRun.Outcome {
    try await ProgramRun.run(
      #require(Peers.python), [Peers.path(of: program)] + arguments, environment: ProcessEnvironment.variables())
  }
}
