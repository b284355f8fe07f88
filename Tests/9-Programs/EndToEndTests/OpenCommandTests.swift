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

  private func pages(_ fixture: PostingFixture) -> String { "\(fixture.home.path)/cache/homeline/_open" }

  @Test(
    "If no page is published, `homeline open` renders one, and each `open` brings it up to date",
    arguments: [true, false])
  func rendered(withService: Bool) async throws {
    let fixture = try await PostingFixture(withService: withService, #""keep_posts": 20"#, more: Self.noPictures)
    let path = "\(pages(fixture))/demo.html"
    #expect(try await fixture.run("open", "--print") == "\(path)\n")
    let first = try fixture.home.read(path)
    #expect(first.contains("<title>(20) demo · home timeline</title>") && first.contains("20 shown"))
    #expect(first.contains("To update this page: <code>homeline open demo</code>"))
    #expect(first.contains("id=\"chart\""))
    #expect(!File.exists("\(fixture.home.cacheFolder)/home_timeline.html"))
    fixture.post(1)
    try await fixture.run("refresh")
    let newest = try #require(try fixture.home.publishedIDs().first)
    #expect(!first.contains("id=\"post-demo-\(newest)\""))
    #expect(try await fixture.run("open", "demo", "--print") == "\(path)\n")
    #expect(try fixture.home.read(path).contains("id=\"post-demo-\(newest)\""))
    #expect(try FileStatus.of(path).permissions == 0o600 && FileStatus.of(pages(fixture)).permissions == 0o700)
    await fixture.end()
  }

  @Test("`homeline open` renders the page while another process holds the owner lock and does not respond")
  func frozenOwner() async throws {
    let fixture = try await PostingFixture(withService: true, #""keep_posts": 20"#, more: Self.noPictures)
    let daemon = try #require(fixture.daemon)
    daemon.program.signal(SIGSTOP)
    let outcome = try await fixture.home.run("open", "--print")
    daemon.program.signal(SIGCONT)
    #expect(outcome.code == 0 && outcome.output == "\(pages(fixture))/demo.html\n", "\(outcome.error)")
    await fixture.end()
  }

  @Test(
    "With several accounts, `homeline open` shows one page with the posts of all enabled ones",
    arguments: [true, false])
  func severalAccounts(withService: Bool) async throws {
    let fixture = try await PostingFixture(
      withService: withService, accounts: ["bird", "cat"], Self.members, more: Self.noPictures)
    let path = "\(pages(fixture))/_all.html"
    #expect(try await fixture.run("open", "--print") == "\(path)\n")
    let page = try fixture.home.read(path)
    #expect(page.contains("<bdi>all accounts</bdi>") && page.contains("via <bdi>bird</bdi>"))
    for account in ["bird", "cat"] {
      let newest = try #require(try fixture.home.publishedIDs(account).first)
      #expect(page.contains("id=\"post-\(account)-\(newest)\""), "\(account)")
    }
    #expect(page.contains("40 shown") && page.contains("<code>homeline open</code>"))
    #expect(try await fixture.run("open", "cat", "--print").hasSuffix("/cat/home_timeline.html\n"))
    await fixture.end()
  }

  @Test("`homeline open` has the service write a missing page, and does not open a page older than the posts")
  func published() async throws {
    let fixture = try await PostingFixture(withService: true, Self.members, more: Self.noPictures)
    let page = "\(fixture.home.cacheFolder)/home_timeline.html"
    try File.remove(page)
    #expect(try await fixture.run("open", "--print") == "\(page)\n")
    #expect(File.exists(page) && !File.exists(pages(fixture)))
    await fixture.end()
    // Without a service, the page of a killed process may be older than the posts.
    _ = try await fixture.home.shell("touch '\(fixture.home.timeline)'")
    #expect(try await fixture.run("open", "--print") == "\(pages(fixture))/demo.html\n")
    try await fixture.run("refresh")
    _ = try await fixture.home.shell("touch '\(page)'")
    #expect(try await fixture.run("open", "--print") == "\(page)\n")
  }

  @Test("When posts are purged, pages that `homeline open` has rendered are deleted", arguments: [true, false])
  func purged(withService: Bool) async throws {
    let fixture = try await PostingFixture(withService: withService, #""keep_posts": 20"#, more: Self.noPictures)
    try await fixture.run("open", "--print")
    let ids = try fixture.home.publishedIDs()
    try await fixture.run("purge", "--post", ids[3])
    #expect(try fixture.home.names(in: pages(fixture)).isEmpty)
    try await fixture.run("open", "--print")
    let page = try fixture.home.read("\(pages(fixture))/demo.html")
    #expect(page.contains("post-demo-\(ids[2])") && !page.contains("post-demo-\(ids[3])"))
    await fixture.end()
  }

  @Test(
    "Before anything is published, `homeline open` explains how to start and does not name a configuration that does not exist"
  )
  func nothing() async throws {
    let home = try TestInstallation()
    try File.remove(home.configuration)
    let outcome = try await home.run("open")
    #expect(outcome.code == 77 && outcome.error.contains("homeline login"), "\(outcome.error)")
    #expect(!outcome.error.contains("config.json"))
  }
}
