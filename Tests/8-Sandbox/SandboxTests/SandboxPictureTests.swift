import Dispatch
import Glibc
import HTTP
import HTTPClient
import HTTPServer
import SandboxSupport
import TestSupport
import Testing

@testable import Sandbox

@Suite struct SandboxPictureTests {
  private static let scripts = Repository.path("Tests/Peers")

  private static var python: String? { getenv("HOMELINE_PEERS_PYTHON").map { String(cString: $0) } }

  @Test(
    "Another program can read the sandbox's pictures as PNG, in whole or in byte ranges, and always gets the same bytes",
    .enabled(if: SandboxPictureTests.python != nil, "skipped: HOMELINE_PEERS_PYTHON is not set"))
  func judged() async throws {
    let server = try SandboxServer(MastodonSandbox())
    let folder = TemporaryFolder()
    let outcome = try await ProgramRun.run(
      Self.python!, ["\(Self.scripts)/read_pictures.py", server.baseURL],
      environment: ProgramRun.environment(home: folder.path, ["NO_PROXY": "127.0.0.1"]))
    #expect(outcome.code == 0, "\(outcome.output)\(outcome.error)")
    #expect(server.withPictures { $0.records.count { $0.status == StatusCode(206) } } == 3)
    await server.stopAndWait()
  }

  @Test("Picture addresses in JSON responses get the server's own host, and nothing else changes")
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
