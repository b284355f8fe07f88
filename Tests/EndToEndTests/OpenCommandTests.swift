import Glibc
import Platform
import TestSupport
import Testing

/// `homeline open`, which shows the published page in the browser.
@Suite("`homeline open`", .timeLimit(.minutes(2))) struct OpenCommandTests {
  private static let members = #""keep_posts": 20, "publish": ["html"]"#
  private static let noPictures = #""media": {"megabytes": 0}"#

  @Test("`homeline open` opens the page in the browser, and --print prints its path", arguments: [true, false])
  func opened(withService: Bool) async throws {
    let fixture = try await PostingFixture(withService: withService, Self.members, more: Self.noPictures)
    let page = "\(fixture.home.cacheFolder)/home_timeline.html"
    let opened = "\(fixture.home.path)/opened"
    let browser = "\(fixture.home.path)/browser"
    try fixture.home.write(
      "#!/bin/sh\nprintf '%s\\n' \"$@\" > '\(opened).new' && mv '\(opened).new' '\(opened)'\n", to: browser)
    chmod(browser, 0o700)
    let outcome = try await fixture.home.run("open", variables: ["BROWSER": browser])
    #expect(outcome.code == 0 && outcome.output == "", "\(outcome.error)")
    #expect(outcome.error.contains("opened \(page) in your browser"))
    #expect(try await eventually { File.exists(opened) })
    #expect(try fixture.home.read(opened) == "file://\(page)\n")
    let printed = try await fixture.home.run("open", "demo", "--print", variables: ["BROWSER": browser])
    #expect(printed.code == 0 && printed.output == "\(page)\n" && printed.error == "")
    await fixture.end()
  }

  @Test("Special characters in the path are percent-encoded in the URL passed to the browser")
  func escaped() async throws {
    let fixture = try await PostingFixture(withService: false, Self.members, more: Self.noPictures)
    let opened = "\(fixture.home.path)/opened"
    let browser = "\(fixture.home.path)/browser"
    try fixture.home.write(
      "#!/bin/sh\nprintf '%s' \"$2\" > '\(opened).new' && mv '\(opened).new' '\(opened)'\n", to: browser)
    chmod(browser, 0o700)
    _ = try await fixture.home.shell("mv '\(fixture.home.path)/cache' '\(fixture.home.path)/a #?%ü'")
    let outcome = try await fixture.home.run(
      "open", variables: ["BROWSER": "\(browser) --new %s", "XDG_CACHE_HOME": "\(fixture.home.path)/a #?%ü"])
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try await eventually { File.exists(opened) })
    #expect(
      try fixture.home.read(opened)
        == "file://\(fixture.home.path)/a%20%23%3F%25%C3%BC/homeline/demo/home_timeline.html")
  }

  @Test("If there is no browser, `homeline open` prints the page's path", arguments: ["", "/nonexistent/browser"])
  func noBrowser(browser: String) async throws {
    let fixture = try await PostingFixture(withService: false, Self.members, more: Self.noPictures)
    let outcome = try await fixture.home.run("open", variables: ["BROWSER": browser])
    #expect(outcome.code == 0 && outcome.output == "\(fixture.home.cacheFolder)/home_timeline.html\n")
    #expect(outcome.error.contains("no browser was found"), "\(outcome.error)")
  }

  @Test(
    "If no page is published, `homeline open` explains how to publish one and exits with 78",
    arguments: [[], ["--print"]])
  func noPage(arguments: [String]) async throws {
    let fixture = try await PostingFixture(withService: false, #""keep_posts": 20"#)
    let outcome = try await fixture.home.start(["open", "demo"] + arguments).end()
    #expect(outcome.code == 78 && outcome.output == "")
    #expect(outcome.error.contains(#"Add "publish": ["html"] to the configuration and refresh"#), "\(outcome.error)")
  }
}
