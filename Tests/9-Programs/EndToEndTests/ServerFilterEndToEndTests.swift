import Glibc
import HTTP
import Platform
import SandboxSupport
import TestSupport
import Testing

@testable import Sandbox

/// Filters that the user has set up at a Mastodon server, from its response to all that a user sees.
@Suite("Filters at a Mastodon server", .timeLimit(.minutes(4))) struct ServerFilterEndToEndTests {
  private static let formats = ["jsonl", "atom", "feed.json", "txt", "bar.json", "html"]

  /// An installation with the `fox` account, whose home timeline is the one in the vectors.
  private final class FilterFixture: Sendable {
    let server: SandboxServer<MastodonSandbox>
    let home: TestInstallation
    let folder = TemporaryFolder()
    private let body = Locked("[]")

    init(_ members: String = "") throws {
      server = try SandboxServer(MastodonSandbox(.mastodon))
      home = try TestInstallation()
      body.withLock { $0 = try! home.read(Repository.path("Tests/Vectors/mastodon-filtered-home.json")) }
      let hook = "\(folder.path)/hook"
      try AtomicFile.write(Array("#!/bin/sh\ncat >> '\(folder.path)/received'\n".utf8), to: hook, .replaced)
      chmod(hook, 0o700)
      try configure(members)
      let body = body
      server.withFaults {
        $0.add(
          .change { response in
            var shown = Response(json: body.withLock { Array($0.utf8) })
            shown.headers.set("Connection", "close")
            response = shown
          }, to: "/api/v1/timelines/home", times: 1000)
      }
    }

    deinit { server.stop() }

    func configure(_ members: String, more: String = "") throws {
      try home.configure(
        """
        { "callback": { "port": 0 }, "media": { "megabytes": 0 },
          "views": { "all": { "publish": ["txt"] } },
          "accounts": { "fox": { "provider": "mastodon", "server": "\(server.baseURL)", "on_new_posts": ["\(folder.path)/hook"],
            "publish": [\(formats.map { "\"\($0)\"" }.joined(separator: ", "))]\(members) }\(more) } }
        """)
    }

    /// Changes the response of the server.
    func change(_ text: String, to other: String) { body.withLock { $0 = $0.replacing(text, with: other) } }

    @discardableResult
    func run(_ arguments: String...) async throws -> String {
      let outcome = try await home.start(arguments).end()
      try #require(outcome.code == 0, "\(arguments): \(outcome.error)")
      return outcome.output
    }

    func logIn() async throws { try await home.logIn("fox", "--no-browser") }

    /// Returns the ids that the program of `on_new_posts` has received, in order.
    func received() throws -> [String] {
      let file = "\(folder.path)/received"
      guard File.exists(file) else { return [] }
      return try home.read(file).split(separator: "\n").compactMap { try JSONValue(Array($0.utf8))["id"].text }
    }

    func published(_ format: String) throws -> String {
      try home.read("\(home.cacheFolder(of: "fox"))/\(format == "bar.json" ? format : "home_timeline.\(format)")")
    }
  }

  private func fixture(_ members: String = "") async throws -> FilterFixture {
    let fixture = try FilterFixture(members)
    try await fixture.logIn()
    return fixture
  }

  @Test(
    "Filtered posts appear in no file, page, feed, bar or command, are not unread, and are not handed to programs")
  func hidden() async throws {
    let fixture = try await fixture()
    #expect(try fixture.home.publishedIDs("fox") == ["2006", "2004", "2003"])
    let timeline = try fixture.home.published("fox")
    #expect(timeline["unread"] == .number("3") && timeline["gaps"].items.isEmpty)
    for format in Self.formats + ["json"] {
      #expect(try !fixture.published(format).contains("wasps"), "\(format)")
    }
    #expect(try !fixture.home.read("\(fixture.home.viewFolder("all"))/home_timeline.txt").contains("wasps"))
    #expect(try fixture.published("bar.json").contains(#""text":"3""#))
    #expect(try await eventually { try fixture.received() == ["2003", "2004", "2006"] })
    let shown = try await fixture.run("show", "fox")
    #expect(!shown.contains("wasps") && shown.contains("Rain all day."))
    #expect(try await fixture.run("show", "fox", "--unread", "--format", "jsonl").split(separator: "\n").count == 3)
    let status = try await fixture.run("status")
    #expect(status.contains("3 unread") && status.contains("2 hidden by your filters"), "\(status)")
    #expect(try await fixture.run("status", "-v").contains("3 stored, 3 unread, 2 hidden by your filters"))
    #expect(try await fixture.run("status", "--format", "prometheus").contains(#"filtered_posts{account="fox"} 2"#))
    let report = try JSONValue(Array(try await fixture.run("status", "--json").utf8))["accounts"].items[0]
    #expect(report["filtered"] == .number("2") && report["posts"] == .number("3") && report["unread"] == .number("3"))
  }

  @Test("A search finds hidden posts only with --filtered, and names the filter")
  func search() async throws {
    let fixture = try await fixture()
    #expect(try await fixture.run("search", "wasps") == "")
    let found = try await fixture.run("search", "wasps", "--filtered")
    #expect(found.contains("Nothing but wasps here.") && found.contains("A long text about wasps."), "\(found)")
    #expect(found.contains("Filtered: wasps"))
    let lines = try await fixture.run("search", "wasps OR rain", "--filtered", "--format", "jsonl").split(
      separator: "\n")
    #expect(try lines.map { try JSONValue(Array($0.utf8))["id"].text } == ["2007", "2006", "2005"])
  }

  @Test("A post that a filter warns of is shown with a content warning that names the filter")
  func warned() async throws {
    let fixture = try await fixture()
    for format in Self.formats + ["json"] {
      #expect(try fixture.published(format).contains("Filtered: final"), "\(format)")
    }
    let page = try fixture.published("html")
    #expect(page.contains("<summary>Content warning: <bdi lang=\"\">Filtered: final</bdi></summary>"))
    #expect(try await fixture.run("show", "fox").contains("CW: Filtered: final"))
  }

  @Test("A hidden post returns with a refresh whose page no longer lists the filter, and is not new")
  func returned() async throws {
    let fixture = try await fixture()
    fixture.change(#""expires_at": null, "filter_action": "hide""#, to: #""expires_at": "2020-01-01T00:00:00Z""#)
    fixture.change(#""filter_action": "warn""#, to: #""filter_action": "hide""#)
    let refreshed = try await fixture.run("refresh", "fox")
    #expect(!refreshed.contains("new post"), "\(refreshed)")
    #expect(try fixture.home.publishedIDs("fox") == ["2007", "2006", "2005", "2003"])
    #expect(try fixture.published("html").contains("A long text about"))
    #expect(try await fixture.run("search", "draw") == "")
    #expect(try await fixture.run("status").contains("1 hidden by your filters"))
    #expect(try await fixture.run("check", "--archive").contains("4 posts and 1 hidden by filters, no damage"))
    #expect(try fixture.home.published("fox")["gaps"].items.isEmpty)
    let exported = try await fixture.run("export", "fox")
    #expect(!exported.contains("edits") && !exported.contains("deleted_at"))
  }

  @Test("apply_server_filters: false shows all posts as they are, and a later change of the setting takes effect")
  func turnedOff() async throws {
    let off = #", "apply_server_filters": false"#
    let fixture = try await fixture(off)
    #expect(try fixture.home.publishedIDs("fox") == ["2007", "2006", "2005", "2004", "2003"])
    for format in Self.formats + ["json"] { #expect(try !fixture.published(format).contains("Filtered"), "\(format)") }
    try fixture.configure("")
    try await fixture.run("refresh", "fox")
    #expect(try fixture.home.publishedIDs("fox") == ["2006", "2004", "2003"])
    try fixture.configure(off)
    try await fixture.run("refresh", "fox")
    #expect(try fixture.home.publishedIDs("fox") == ["2007", "2006", "2005", "2004", "2003"])
    #expect(try !fixture.published("json").contains("Filtered"))
    #expect(try await !fixture.run("status").contains("hidden"))
  }

  @Test("Exports, backups and imports keep hidden posts hidden")
  func moved() async throws {
    let fixture = try await fixture()
    let exported = try await fixture.run("export", "fox")
    #expect(exported.split(separator: "\n").count == 5)
    let table = try await fixture.run("export", "fox", "--format", "csv")
    let csv = try await fixture.home.run("export", "fox", "--format", "csv")
    #expect(
      csv.error
        == "homeline: fox: the table leaves out 2 posts hidden by your filters; --format jsonl includes them\n")
    #expect(table.contains("Rain all day.") && !table.contains("wasps"))
    let (file, backup) = ("\(fixture.folder.path)/posts.jsonl", "\(fixture.folder.path)/backup")
    try fixture.home.write(exported, to: file)
    try await fixture.run("backup", backup)
    let other = try TestInstallation()
    try File.remove(other.configuration)
    #expect(try await other.run("restore", backup).code == 0)
    #expect(try await other.run("status", "-v").output.contains("2 hidden by your filters"))
    #expect(try await other.run("search", "wasps").output == "")
    try fixture.configure("", more: #", "hen": { "provider": "sandbox" }"#)
    try await fixture.run("import", file, "--account", "hen")
    #expect(try await fixture.run("search", "wasps", "--account", "hen") == "")
    let found = try await fixture.run("search", "wasps", "--account", "hen", "--filtered", "--format", "jsonl")
    #expect(found.split(separator: "\n").count == 2)
  }
}
