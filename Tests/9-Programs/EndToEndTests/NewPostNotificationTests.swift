import Glibc
import Platform
import TestSupport
import Testing

/// The settings `on_new_posts` and `notify`.
@Suite("Notifications of new posts", .timeLimit(.minutes(3))) struct NewPostNotificationTests {
  private let folder = TemporaryFolder()

  private func write(program text: String, to name: String) throws -> String {
    let path = "\(folder.path)/\(name)"
    try AtomicFile.write(Array("#!/bin/sh\n\(text)\n".utf8), to: path, .replaced)
    chmod(path, 0o700)
    return path
  }

  /// Returns the ids that the program received, in order.
  private func received() throws -> [String] {
    let file = "\(folder.path)/received"
    guard File.exists(file) else { return [] }
    return try String(decoding: File.read(file, limit: 16 << 20), as: UTF8.self).split(separator: "\n").compactMap {
      try JSONValue(Array($0.utf8))["id"].text
    }
  }

  private func archived(_ fixture: PostingFixture) async throws -> [String] {
    try await fixture.run("export", "demo").split(separator: "\n").compactMap {
      try JSONValue(Array($0.utf8))["id"].text
    }
  }

  @Test(
    "Over many refreshes, the on_new_posts program receives each new post once and in order",
    arguments: [true, false])
  func program(withService: Bool) async throws {
    let program = try write(
      program: #"test "$HOMELINE_ACCOUNT" = demo -a "$1" = word && cat >> '\#(folder.path)/received'"#, to: "hook")
    let fixture = try await PostingFixture(
      withService: withService, #""keep_posts": 20, "on_new_posts": ["\#(program)", "word"]"#)
    let first = try await archived(fixture).count
    #expect(try await eventually { try received().count == first })
    for count in [3, 1, 0, 4, 2] {
      let before = try received().count
      fixture.post(count)
      try await fixture.run("refresh")
      #expect(try await eventually { try received().count == before + count })
    }
    #expect(try await archived(fixture) == received().reversed())
    #expect(try received().count == first + 10)
    await fixture.end()
  }

  @Test(
    "A slow on_new_posts program does not delay refreshes, and its next run gets the posts fetched in the meantime")
  func slow() async throws {
    let program = try write(
      program: """
        cat >> '\(folder.path)/received'
        echo begun >> '\(folder.path)/runs'
        while [ ! -e '\(folder.path)/go-on' -a -e '\(folder.path)/runs' ]; do sleep 0.05; done
        """, to: "hook")
    let fixture = try await PostingFixture(withService: true, #""keep_posts": 20, "on_new_posts": ["\#(program)"]"#)
    #expect(try await eventually { File.exists("\(folder.path)/runs") })
    let first = try received().count
    for _ in 0..<3 {
      fixture.post(2)
      #expect(try await fixture.run("refresh").hasPrefix("demo: 2 new posts"))
    }
    #expect(try received().count == first)
    try AtomicFile.write([], to: "\(folder.path)/go-on", .replaced)
    #expect(try await eventually { try received().count == first + 6 })
    #expect(try await archived(fixture) == received().reversed())
    await fixture.end()
  }

  @Test("Without a service, a refresh does not wait for a slow on_new_posts program, which still gets the posts")
  func withoutService() async throws {
    let program = try write(
      program: """
        cat > '\(folder.path)/got'
        while [ ! -e '\(folder.path)/go-on' -a -e '\(folder.path)/hook' ]; do sleep 0.05; done
        mv '\(folder.path)/got' '\(folder.path)/done'
        """, to: "hook")
    let fixture = try await PostingFixture(withService: false, #""keep_posts": 20"#)
    try fixture.configure(["demo"], #""keep_posts": 20, "on_new_posts": ["\#(program)"]"#)
    fixture.post(2)
    #expect(try await fixture.run("refresh").hasPrefix("demo: 2 new posts"))
    #expect(!File.exists("\(folder.path)/done"))
    try AtomicFile.write([], to: "\(folder.path)/go-on", .replaced)
    #expect(try await eventually { File.exists("\(folder.path)/done") })
    #expect(try fixture.home.read("\(folder.path)/done").split(separator: "\n").count == 2)
  }

  @Test("The service logs a failing on_new_posts program, and the refresh succeeds")
  func failing() async throws {
    let fixture = try await PostingFixture(withService: true, #""keep_posts": 20, "on_new_posts": ["false"]"#)
    let daemon = try #require(fixture.daemon)
    #expect(await daemon.program.line(containing: "demo: on_new_posts: false exited with status 1", on: .error) != nil)
    try fixture.configure(["demo"], #""keep_posts": 20, "on_new_posts": ["/nonexistent/program"]"#)
    try await fixture.reload()
    fixture.post(1)
    #expect(try await fixture.run("refresh").hasPrefix("demo: 1 new post,"))
    #expect(await daemon.program.line(containing: "/nonexistent/program", on: .error) != nil)
    await fixture.end()
  }
}
