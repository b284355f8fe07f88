import Dispatch
import Glibc
import HTTP
import TestSupport
import Testing
import Transport

@testable import Sandbox

@Suite struct SandboxPictureTests {
  private static let scripts = #filePath.split(separator: "/").dropLast(2).map { "/\($0)" }.joined() + "/Peers"

  private static var python: String? { getenv("HOMELINE_PEERS_PYTHON").map { String(cString: $0) } }

  @Test(
    "its pictures are PNG to others, always the same ones, and are given in parts",
    .enabled(if: SandboxPictureTests.python != nil, "skipped: HOMELINE_PEERS_PYTHON names no Python"))
  func judged() async throws {
    let server = try FakeServer(service: MastodonSandbox())
    let folder = TemporaryFolder()
    let outcome = try await ProgramRun.run(
      Self.python!, ["\(Self.scripts)/read_pictures.py", server.baseURL],
      environment: ProgramRun.environment(home: folder.path, ["NO_PROXY": "127.0.0.1"]))
    #expect(outcome.code == 0, "\(outcome.output)\(outcome.error)")
    #expect(server.withPictures { $0.records.count { $0.status == StatusCode(206) } } == 3)
    await withCheckedContinuation { done in server.stop { done.resume() } }
  }

  @Test("each provider that is played serves pictures", arguments: SandboxKind.allCases)
  func addresses(_ kind: SandboxKind) async throws {
    let folder = TemporaryFolder()
    let server = try kind.serve(
      on: try .loopback(port: 0, host: .literal),
      SandboxOptions(stateFolder: folder.path + "/state", redirects: []))
    let client = Client(policy: ClientPolicy(userAgent: "homeline-test", environment: [:]))
    func get(_ path: String) async throws -> Response {
      try await withCheckedContinuation { done in
        let request = ClientRequest(method: .get, url: server.baseURL + path)
        client.send(request, on: DispatchQueue(label: "answers")) { done.resume(returning: $0) }
      }.get()
    }
    #expect(try await get("/media/avatars/mira_demo_normal.png").headers.first(.contentType) == "image/png")
    #expect(try await get("/media/").status != .ok)
    await withCheckedContinuation { done in server.stop { done.resume() } }
  }

  @Test("an answer that leaves names pictures at the server's own address, and nothing else in it changes")
  func localized() {
    func leaving(_ text: String, type: FieldValue = "application/json; charset=utf-8") -> String {
      var response = Response(status: .ok, type: type, text: text)
      PictureAddress.localize(&response, port: 4711)
      return String(decoding: response.body, as: UTF8.self)
    }
    #expect(
      leaving(#"{"a":"https://img.example/avatars/x.png","b":"http://img.example/50/y.png","c":"img.example/"}"#)
        == #"{"a":"http://127.0.0.1:4711/media/avatars/x.png","b":"http://127.0.0.1:4711/media/50/y.png","c":"img.example/"}"#
    )
    for text in ["", "i", "img.example/", "https://img.exampl", "imimg.example/", "[\"https://web.example/\"]"] {
      #expect(leaving(text) == text)
    }
    #expect(leaving("https://img.example/", type: "text/html") == "https://img.example/")
  }
}
