import Glibc
import Platform
import TestSupport
import Testing

/// `homeline open`: what the browser is asked to show.
@Suite("homeline open", .timeLimit(.minutes(2))) struct OpenRoadTests {
  private static let members = #""keep_posts": 20, "publish": ["html"]"#
  private static let noPictures = #""media": {"megabytes": 0}"#

  @Test("open passes the page to the browser, and --print prints its path", arguments: [true, false])
  func opened(withService: Bool) async throws {
    let road = try await PostingHome(withService: withService, Self.members, more: Self.noPictures)
    let page = "\(road.folder())/home_timeline.html"
    let asked = "\(road.home.path)/asked"
    let browser = "\(road.home.path)/browser"
    try road.home.write(
      "#!/bin/sh\nprintf '%s\\n' \"$@\" > '\(asked).new' && mv '\(asked).new' '\(asked)'\n", to: browser)
    chmod(browser, 0o700)
    let outcome = try await road.home.run("open", variables: ["BROWSER": browser])
    #expect(outcome.code == 0 && outcome.output == "", "\(outcome.error)")
    #expect(outcome.error.contains("your browser has been asked to open \(page)"))
    #expect(try await eventually { File.exists(asked) })
    #expect(try road.home.read(asked) == "file://\(page)\n")
    let printed = try await road.home.run("open", "demo", "--print", variables: ["BROWSER": browser])
    #expect(printed.code == 0 && printed.output == "\(page)\n" && printed.error == "")
    await road.end()
  }

  @Test("Special characters in the path are percent-encoded in the browser's URL")
  func escaped() async throws {
    let road = try await PostingHome(withService: false, Self.members, more: Self.noPictures)
    let asked = "\(road.home.path)/asked"
    let browser = "\(road.home.path)/browser"
    try road.home.write("#!/bin/sh\nprintf '%s' \"$2\" > '\(asked).new' && mv '\(asked).new' '\(asked)'\n", to: browser)
    chmod(browser, 0o700)
    _ = try await road.home.shell("mv '\(road.home.path)/cache' '\(road.home.path)/a #?%ü'")
    let outcome = try await road.home.run(
      "open", variables: ["BROWSER": "\(browser) --new %s", "XDG_CACHE_HOME": "\(road.home.path)/a #?%ü"])
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try await eventually { File.exists(asked) })
    #expect(
      try road.home.read(asked) == "file://\(road.home.path)/a%20%23%3F%25%C3%BC/homeline/demo/home_timeline.html")
  }

  @Test("open prints the page's path when there is no browser", arguments: ["", "/nonexistent/browser"])
  func noBrowser(browser: String) async throws {
    let road = try await PostingHome(withService: false, Self.members, more: Self.noPictures)
    let outcome = try await road.home.run("open", variables: ["BROWSER": browser])
    #expect(outcome.code == 0 && outcome.output == "\(road.folder())/home_timeline.html\n")
    #expect(outcome.error.contains("there is no browser here"), "\(outcome.error)")
  }

  @Test("open without a published page exits with 78 and says how to publish one", arguments: [[], ["--print"]])
  func noPage(arguments: [String]) async throws {
    let road = try await PostingHome(withService: false, #""keep_posts": 20"#)
    let outcome = try await road.home.start(["open", "demo"] + arguments).end()
    #expect(outcome.code == 78 && outcome.output == "")
    #expect(outcome.error.contains(#"Add "publish": ["html"] to the configuration, and refresh"#), "\(outcome.error)")
  }
}
