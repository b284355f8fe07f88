import HTTP
import SandboxSupport
import TestSupport
import Testing

@testable import Sandbox

/// What a drive's server says about names, as `homeline drive` prints it.
@Suite("Hostile names from a drive", .timeLimit(.minutes(2))) struct DriveNameTests {
  private let server: SandboxServer<GokuaiSandbox>
  private let home: TestInstallation

  init() async throws {
    server = try SandboxServer(GokuaiSandbox())
    home = try TestInstallation()
    try home.configure(
      """
      { "accounts": { "disk": { "provider": "gokuai", "server": "\(server.baseURL)",
        "client_id": "\(GokuaiKeys.clientID)", "client_secret": "\(GokuaiKeys.clientSecret)" } } }
      """)
    try await #require(home.run("drive", "mkdir", "disk:docs", "disk:other").code == 0)
  }

  /// Replaces a part of the responses to a request.
  private func replace(_ part: String, by text: String, in call: String) {
    server.withFaults {
      $0.add(
        .change { response in
          response.body = Array(String(decoding: response.body, as: UTF8.self).replacing(part, with: text).utf8)
        }, to: "/m-open/1/file/\(call)", times: 100)
    }
  }

  @Test("`drive ls` reports the entries that it cannot list")
  func unlisted() async throws {
    defer { server.stop() }
    replace(#""fullpath":"docs""#, by: #""fullpath":"\#(String(repeating: "a", count: 4_097))""#, in: "ls")
    let list = try await home.run("drive", "ls", "disk:")
    #expect(list.code == 0 && list.output.contains(" other/\n") && !list.output.contains("docs"), "\(list.output)")
    #expect(
      list.error
        == "homeline: disk:/: 1 entry is not listed, because the server sends no path or one longer than 4096 bytes\n")
  }

  @Test("A name with a line feed stays on its line, and JSON keeps it")
  func lineFeeds() async throws {
    defer { server.stop() }
    replace(#""fullpath":"docs""#, by: #""fullpath":"docs\nsize: 0""#, in: "ls")
    let list = try await home.run("drive", "ls", "disk:")
    #expect(list.output.split(separator: "\n").count == 2 && list.output.contains(" docs size: 0/\n"), "\(list.output)")
    let json = try await home.run("drive", "ls", "--json", "disk:")
    #expect(json.output.contains(#""docs\nsize: 0""#), "\(json.output)")
    replace(#""last_member_name":""#, by: #""last_member_name":"Kim\nsha1: 0000\u2028"#, in: "info")
    let information = try await home.run("drive", "info", "disk:docs")
    #expect(information.output.contains("changed by: Kim sha1: 0000"), "\(information.output)")
    #expect(!information.output.split(separator: "\n").contains { $0.hasPrefix("sha1:") }, "\(information.output)")
  }
}
