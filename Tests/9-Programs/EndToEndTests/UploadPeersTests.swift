import FoundationEssentials
import HTTP
import HomelineOAuth
import JSON
import Platform
import SandboxSupport
import TestSupport
import Testing

@testable import Sandbox

/// Uploads by homeline and by other clients' libraries to the same servers.
@Suite("Upload interoperability", .needsPeers, .timeLimit(.minutes(3))) struct UploadPeersTests {
  /// The requests that homeline sends to upload a picture and a video.
  private struct Uploads {
    let fixture: TwitterFixture
    let token: JSONValue
    /// The POST requests to `media/upload` so far.
    let seen: Locked<[Request]>
    let files: [[UInt8]]

    init() async throws {
      fixture = try TwitterFixture(#""refresh_seconds": 86400, "keep_posts": 20"#)
      try await fixture.home.logIn()
      let seen = Locked<[Request]>([])
      fixture.sandbox.withFaults {
        $0.add(
          .alter { request in if request.method == .post { seen.withLock { [request] in $0.append(request) } } },
          to: .upload, times: 100)
      }
      files = [PostFile.picture(), PostFile.video(20_000)]
      for (index, content) in files.enumerated() {
        let path = try fixture.home.file("file \(index)", content)
        let outcome = try await fixture.home.run("post", "demo", "Post \(index).", "--media", path)
        #expect(outcome.code == 0, "\(outcome.error)")
      }
      self.seen = seen
      token = try JSONValue(file: fixture.home.token(of: "demo"))
      try #require(seen.withLock { $0.count } == 4)
    }
  }

  @Test("requests-oauthlib and homeline upload files with identical requests, and the server accepts both")
  func sameRequests() async throws {
    let uploads = try await Uploads()
    var id: String?
    for ours in uploads.seen.withLock({ $0 }) {
      let body = MultipartBody(ours)
      // The other client uses an upload that it started itself.
      let form = try Self.fields(of: ours).map { ($0.name, $0.name == "media_id" ? id ?? "" : $0.value) }
      let input = PeerJSON.object { json in
        json.member("url", uploads.fixture.sandbox.address(of: .upload))
        json.member("form", list: form) { json, field in
          json.array {
            $0.string(field.0)
            $0.string(field.1)
          }
        }
        if let file = body?.file {
          json.name("file")
          json.object { json in
            json.member("field", file.name)
            json.member("name", file.fileName)
            json.member("type", file.type)
            json.member("content", Data(file.content).base64EncodedString())
          }
        }
        PeerJSON.writeKeys(uploads.token, to: &json)
      }
      let answer = await (try Peers.start("post_status.py", input: .text(input))).end()
      #expect(answer.code == 0, "\(answer.error)")
      let response = try JSONValue(Array(answer.output.utf8))
      #expect((200..<300).contains(response["status"].integer ?? 0), "\(answer.output)")
      id = response["body"]["media_id_string"].text ?? id

      let theirs = try #require(uploads.seen.withLock { $0.last })
      #expect(theirs.target.path == ours.target.path && theirs.target.query == ours.target.query)
      #expect(try PeerJSON.authorization(theirs) == PeerJSON.authorization(ours))
      #expect(Self.kind(of: theirs) == Self.kind(of: ours))
      #expect(try Self.fields(of: theirs).map(\.name) == form.map(\.0))
      let (parts, otherParts) = (body?.parts ?? [], MultipartBody(theirs)?.parts ?? [])
      #expect(parts.map(Self.head) == otherParts.map(Self.head))
      for (part, other) in zip(parts, otherParts) where part.name != "media_id" {
        #expect(part.content == other.content, "\(part.name)")
      }
    }
    #expect(uploads.fixture.sandbox.with { $0.uploadedFiles.map(\.content) } == uploads.files + uploads.files)
  }

  @Test("oauthlib verifies homeline's uploads, and refuses a multipart request whose fields are signed")
  func verified() async throws {
    let uploads = try await Uploads()
    let url = uploads.fixture.sandbox.address(of: .upload)
    var lines = ""
    var expected = ""
    for request in uploads.seen.withLock({ $0 }) {
      let fields = MultipartBody(request)?.parts.filter { !$0.isFile } ?? []
      var authorizations = [try #require(request.headers.first("Authorization"))]
      if !fields.isEmpty {
        let data = fields.flatMap { ["--data", "\($0.name)=\($0.text)"] }
        let signed = try await uploads.fixture.home.start(["sign", "POST", url, "--account", "demo"] + data).end()
        #expect(signed.code == 0, "\(signed.error)")
        authorizations.append(String(signed.output.split(separator: "\n")[0].trimmingPrefix("Authorization: ")))
      }
      for (authorization, isValid) in zip(authorizations, [true, false]) {
        expected += "{\"verified\": \(isValid)}\n"
        lines +=
          PeerJSON.object { json in
            json.member("method", "POST")
            json.member("url", url)
            json.name("headers")
            json.object { json in
              json.member("Authorization", authorization)
              json.member("Content-Type", request.headers.first(.contentType))
            }
            json.member("body", String(decoding: request.body, as: UTF8.self))
            PeerJSON.writeKeys(uploads.token, to: &json)
          } + "\n"
      }
    }
    let outcome = await (try Peers.start("verify_requests.py", input: .text(lines))).end()
    #expect(outcome.output == expected && expected.contains("false"), "\(outcome.output)\(outcome.error)")
  }

  @Test("Mastodon.py reads the types and descriptions of the files in homeline's posts")
  func readByMastodonPy() async throws {
    let fixture = try await PostingHome(scopes: "write")
    let one = try fixture.home.file("one.png", PostFile.picture("media/one"))
    let two = try fixture.home.file("two.png", PostFile.picture("media/two"))
    let video = try fixture.home.file("a.mp4", PostFile.video(10_000))
    #expect(try await fixture.post("ann", "Two.", "--media", one, "--alt", "Wind & 😀", "--media", two).code == 0)
    #expect(try await fixture.post("ann", "--media", video, "--alt", "A \"film\"").code == 0)
    let token = try #require(try JSONValue(file: fixture.home.token(of: "ann"))["access_token"].text)
    let outcome = await (try Peers.start("read_status.py", [fixture.server.baseURL], input: .text(token + "\n"))).end()
    #expect(outcome.code == 0, "\(outcome.error)")
    let posts = try outcome.output.split(separator: "\n").map { try JSONValue(Array($0.utf8)) }
    let media = posts.map { $0["media"].items.map { [$0["type"].text, $0["description"].text] } }
    #expect(media == [[["video", "A \"film\""]], [["image", "Wind & 😀"], ["image", nil]]], "\(outcome.output)")
  }

  /// Returns the content type without the boundary.
  private static func kind(of request: Request) -> String {
    String(request.headers.first(.contentType)?.prefix { $0 != ";" } ?? "")
  }

  /// Returns the text fields of a form, whether multipart or URL-encoded.
  private static func fields(of request: Request) throws -> [(name: String, value: String)] {
    if let body = MultipartBody(request) { return body.parts.filter { !$0.isFile }.map { ($0.name, $0.text) } }
    return try FormEncoding.decode(request.body).map { ($0.nameText ?? "", $0.valueText ?? "") }
  }

  private static func head(_ part: MultipartBody.Part) -> [String?] { [part.name, part.fileName, part.type] }
}
