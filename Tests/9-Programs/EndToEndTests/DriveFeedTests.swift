import TestSupport
import Testing

@testable import Sandbox

/// The change feed of a simulated drive, shown as a timeline.
@Suite struct DriveFeedTests {
  @Test("A library's changes appear in show, search and feeds, and each change is requested only once")
  func library() async throws {
    let test = try await DriveHome()
    try test.home.write("hello", to: "\(test.path)/plan.txt")
    try await test.output("mkdir", "disk:docs")
    try await test.output("put", "\(test.path)/plan.txt", "disk:docs/")
    let refresh = try await test.home.run("refresh", "disk")
    try #require(refresh.code == 0, "\(refresh.error)")
    #expect(test.requests("/m-open/1/file/updates") == 1)
    let shown = try await test.home.run("show", "disk")
    #expect(shown.output.contains("mira") && shown.output.contains("added docs/plan.txt (5 B)"), "\(shown.output)")
    #expect(shown.output.contains("added docs/\n") || shown.output.contains("added docs/ "), "\(shown.output)")

    try await test.output("mv", "disk:docs/plan.txt", "disk:docs/done.txt")
    try await test.output("rm", "disk:docs/done.txt")
    #expect(try await test.home.run("refresh", "disk").code == 0)
    #expect(test.requests("/m-open/1/file/updates") == 2)
    let removed = try await test.home.run("show", "disk")
    #expect(removed.output.contains("removed docs/plan.txt") && removed.output.contains("removed docs/done.txt"))
    let found = try await test.home.run("search", "--account", "disk", "plan")
    #expect(found.output.split(separator: "\n").count >= 2, "\(found.output)\(found.error)")
    let file = try #require(try test.home.files(below: test.path).first { $0.hasSuffix("disk/home_timeline.atom") })
    let feed = try test.home.read(file)
    #expect(feed.contains("removed docs/done.txt"))
    // The library has not changed since then.
    #expect(try await test.home.run("refresh", "disk").code == 0)
    #expect(try await test.home.run("show", "disk").output == removed.output)
    await test.end()
  }

  @Test("A user's library is read with the user's token, in several requests if its changes do not fit on one page")
  func user() async throws {
    let test = try await DriveHome()
    let mkdir = try await test.home.start(["drive", "mkdir"] + (1...150).map { "disk:folder \($0)" }).end()
    try #require(mkdir.code == 0, "\(mkdir.error)")
    try await test.logIn("library")
    #expect(test.requests("/m-api/1/file/updates") == 2)
    let lines = try await test.home.run("show", "library", "--limit", "200", "--format", "jsonl")
    #expect(lines.output.split(separator: "\n").count == 150, "\(lines.output.count) \(lines.error)")
    let status = try await test.home.run("status", "-v", "library")
    #expect(status.output.contains("as \(GokuaiSandbox.userName)"), "\(status.output)")
    await test.end()
  }

  @Test("An account whose key cannot read changes gets an error")
  func withoutFeed() async throws {
    let test = try await DriveHome()
    let refresh = try await test.home.run("refresh", "firm")
    #expect(
      refresh.code == 78 && refresh.error.contains("the key of an enterprise cannot read the changes of a library"),
      "\(refresh.error)")
    for (account, reason) in [("firm", "use the key of the library"), ("mine", "set drive.library_id")] {
      let status = try await test.home.run("status", "-v", account)
      #expect(status.output.contains(reason), "\(status.output)")
    }
    let wrong = try await test.home.run("refresh", "wrong")
    #expect(wrong.code == 78 && wrong.error.contains("Check client_id and client_secret"), "\(wrong.error)")
    await test.end()
  }
}
