import HTTP
import HomelineOAuth
import JSON
import Platform
import SandboxSupport
import TestSupport
import Testing

@testable import Sandbox

/// Posts by homeline and by other clients' libraries on the same servers.
@Suite("Posting interoperability", .needsPeers, .timeLimit(.minutes(2))) struct PostingPeersTests {
  @Test("requests-oauthlib and homeline publish a post with identical requests, and the server verifies both")
  func sameRequest() async throws {
    let fixture = try TwitterFixture(#""refresh_seconds": 86400, "keep_posts": 20"#)
    try await fixture.home.logIn()
    let seen = Locked<[Request]>([])
    fixture.sandbox.withFaults {
      $0.add(.alter { request in seen.withLock { [request] in $0.append(request) } }, to: .update, times: 2)
    }
    let reply = try #require(try fixture.home.publishedIDs().last)
    let text = "a & b = c + d % é 😀 ~ 'quoted' *\nhttps://example.org/x?y=1&z=2"
    let outcome = try await fixture.home.run("post", "demo", text, "--reply-to", reply)
    #expect(outcome.code == 0, "\(outcome.error)")
    // The server would refuse a repeated text.
    #expect(try await fixture.home.run("delete", try #require(try fixture.home.publishedIDs().first)).code == 0)

    let ours = try #require(seen.withLock { $0.first })
    let form = try FormEncoding.decode(ours.body)
    let token = try JSONValue(file: fixture.home.token(of: "demo"))
    let peer = try Peers.start(
      "post_status.py",
      input: .text(
        PeerJSON.object { json in
          json.member("url", fixture.sandbox.address(of: .update))
          json.member("form", list: form) { json, parameter in
            json.array {
              $0.string(parameter.nameText ?? "")
              $0.string(parameter.valueText ?? "")
            }
          }
          PeerJSON.writeKeys(token, to: &json)
        }))
    let answer = await peer.end()
    #expect(answer.code == 0, "\(answer.error)")
    let response = try JSONValue(Array(answer.output.utf8))
    #expect(response["status"].integer == 200 && response["body"]["full_text"].text != nil, "\(answer.output)")
    #expect(fixture.sandbox.with { $0.publishedTexts } == [text])

    let theirs = try #require(seen.withLock { $0.count == 2 ? $0.last : nil })
    #expect(theirs.method == ours.method && theirs.target.path == ours.target.path)
    #expect(theirs.headers.first(.contentType) == ours.headers.first(.contentType))
    #expect(try Self.sorted(FormEncoding.decode(theirs.body)) == Self.sorted(form))
    #expect(try PeerJSON.authorization(theirs) == PeerJSON.authorization(ours))
  }

  @Test("Mastodon.py reads the text, visibility, warning, language and reply target of homeline's posts")
  func readByMastodonPy() async throws {
    let home = try TestInstallation()
    let server = try SandboxServer(MastodonSandbox(.mastodon))
    defer { server.stop() }
    try home.configure(
      """
      { "callback": { "port": 0 }, "accounts": { "ann": { "provider": "mastodon", "server": "\(server.baseURL)",
        "refresh_seconds": 86400, "keep_posts": 20, "scopes": ["read:accounts", "read:statuses", "write:statuses"] } } }
      """)
    try await home.logIn()
    #expect(try await home.run("post", "ann", "Erste Zeile <b> & \"Zitat\"\nzweite", "--language", "de").code == 0)
    let first = try #require(try home.publishedIDs("ann").first)
    let options = ["--reply-to", first, "--visibility", "unlisted", "--warning", "agreement & more"]
    let reply = try await home.start(["post", "ann", "Indeed, 😀"] + options).end()
    #expect(reply.code == 0 && reply.error == "", "\(reply.error)")

    let token = try #require(try JSONValue(file: home.token(of: "ann"))["access_token"].text)
    let peer = try Peers.start("read_status.py", [server.baseURL], input: .text(token + "\n"))
    let outcome = await peer.end()
    #expect(outcome.code == 0, "\(outcome.error)")
    let posts = try outcome.output.split(separator: "\n").map { try JSONValue(Array($0.utf8)) }
    try #require(posts.count == 2)
    #expect(posts[1]["id"].text == first && posts[1]["language"].text == "de" && posts[1]["reply_to"] == .null)
    #expect(posts[1]["content"].text == "<p>Erste Zeile &lt;b&gt; &amp; &quot;Zitat&quot;<br>zweite</p>")
    #expect(posts[1]["visibility"].text == "public" && posts[1]["warning"].text == "")
    #expect(posts[0]["content"].text == "<p>Indeed, 😀</p>" && posts[0]["reply_to"].text == first)
    #expect(posts[0]["visibility"].text == "unlisted" && posts[0]["warning"].text == "agreement & more")
    #expect(posts.allSatisfy { $0["author"].text == SandboxUser.screenName })
  }

  private static func sorted(_ parameters: [Parameter]) -> [String] {
    parameters.map { "\($0.nameText ?? "")=\($0.valueText ?? "")" }.sorted()
  }
}
