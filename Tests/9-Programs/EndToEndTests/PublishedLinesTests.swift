import Platform
import TestSupport
import Testing
import Timeline

@testable import Formats

/// Line-based published formats, read by common programs.
@Suite("Line-based published formats", .timeLimit(.minutes(2))) struct PublishedLinesTests {
  private let folder = PublishedFolder()
  private let posts = PublishedFolder.posts

  init() throws { try folder.publish(PublishedFolder.publication()) }

  @Test("jq reads every published JSON format", .needs("jq"))
  func json() async throws {
    let text = try await jq(".text", .bar)
    #expect(text == "⚠ \(posts.count)\n")
    #expect(
      try await jq(".version, (.items | length)", .jsonFeed) == "https://jsonfeed.org/version/1.1\n\(posts.count)\n")
    let ids = try await jq(".id | @json", .jsonLines)
    #expect(ids.split(separator: "\n").count == posts.count)
    let lines = try File.read(folder.path(of: .jsonLines), limit: 1 << 24).split(separator: UInt8(ascii: "\n"))
    for (line, post) in zip(lines, posts) { #expect(try JSONValue(Array(line))["id"].text == post.post.id.text) }
    #expect(lines.count == posts.count)
  }

  @Test("The bar file is a single line of valid markup", .needs("jq"), .needs("xmllint"))
  func bar() async throws {
    #expect(try File.read(folder.path(of: .bar), limit: 1 << 20).count { $0 == UInt8(ascii: "\n") } == 1)
    // Each round starts with a different post, so that every post is once among the few that a bar shows.
    for start in stride(from: 0, to: posts.count, by: 5) {
      try folder.publish(PublishedFolder.publication(Array(posts[start...])), as: [.bar])
      for member in [".text", ".tooltip"] {
        // Pango parses a fragment of XML without a root element (GMarkup).
        let markup = "<markup>" + (try await jq(member, .bar)) + "</markup>"
        let outcome = try await folder.run("xmllint", ["--noout", "--nonet", "-"], input: .text(markup))
        #expect(outcome.code == 0, "\(outcome.error)")
      }
    }
    #expect(try await jq(#".tooltip | split("\n")[1]"#, .bar) == "no &lt;route&gt; &amp; &quot;host&quot;\n")
  }

  @Test("grep finds each unread post on its own line in the text file")
  func text() async throws {
    let outcome = try await folder.run("grep", ["-c", "^\\* 2026-11-20 [0-9:]* @", folder.path(of: .text)])
    let named = posts.filter { !PersonName.handle(of: $0.post.author.screenName).isEmpty }
    #expect(outcome.output == "\(named.count)\n" && named.count > 10)
    let bytes = try File.read(folder.path(of: .text), limit: 1 << 24)
    #expect(bytes.count { $0 == UInt8(ascii: "\n") } == posts.count)
  }

  private func jq(_ filter: String, _ format: PublishedFormat) async throws -> String {
    let outcome = try await folder.run("jq", ["-r", filter, folder.path(of: format)])
    try #require(outcome.code == 0, "\(outcome.error)")
    return outcome.output
  }
}
