import Glibc
import Platform
import Sandbox
import SandboxSupport
import TestSupport
import Testing

/// What a backup contains besides the archive: the outbox and unfinished uploads.
@Suite("the content of backups", .timeLimit(.minutes(3))) struct BackupContentTests {
  private static let upload = "state/homeline/ann/upload-0123456789abcdef.json"

  private let server: SandboxServer<MastodonSandbox>
  private let home: TestInstallation

  /// An account whose server fails to publish posts, so that they wait in the outbox.
  init() async throws {
    server = try SandboxServer(MastodonSandbox(.mastodon))
    home = try TestInstallation()
    try home.configure(
      """
      { "callback": { "port": 0 }, "sandbox": { "port": 0 }, "accounts": { "ann": { "provider": "mastodon",
        "server": "\(server.baseURL)", "refresh_seconds": 86400,
        "scopes": ["read:accounts", "read:statuses", "write:statuses"] } } }
      """)
    try await home.logIn()
    server.withFaults { $0.add(.rateLimited(reset: nil), to: "/api/v1/statuses", times: 100) }
    let post = try await home.run("post", "ann", "Later.")
    try #require(post.error.contains("outbox"), "\(post.error)")
    try home.write(
      #"{"target":"a","file":"f","sha1":"s","server":"http://127.0.0.1","session":"x"}"#, to: path(Self.upload))
  }

  private func path(_ relative: String, in home: TestInstallation? = nil) -> String {
    "\((home ?? self.home).path)/\(relative)"
  }

  /// Makes a backup and restores it for another user.
  private func moved(withTokens: Bool) async throws -> TestInstallation {
    let (file, passphrase) = (path("backup"), path("passphrase"))
    try home.write("correct horse battery\n", to: passphrase)
    let options = withTokens ? ["--with-tokens", "--passphrase-file", passphrase] : []
    let backup = try await home.start(["backup", file] + options).end()
    try #require(backup.code == 0, "\(backup.error)")
    #expect(backup.error.contains("posts in the outbox are included"), "\(backup.error)")
    let other = try TestInstallation()
    try File.remove(other.configuration)
    let restore = try await other.start(
      ["restore", file] + (withTokens ? ["--passphrase-file", passphrase] : [])
    ).end()
    try #require(restore.code == 0, "\(restore.error)")
    #expect(
      restore.error.contains("1 post in the outbox may have been posted by the other machine"), "\(restore.error)")
    return other
  }

  @Test("a post that waited is sent by the new machine only if the user asks, and published once")
  func outbox() async throws {
    let other = try await moved(withTokens: true)
    server.withFaults { $0.removeAll() }
    let list = try await other.run("outbox").output
    #expect(list.contains(" unknown \"Later.\""), "\(list)")
    #expect(try await other.run("refresh").code == 0)
    #expect(try await other.run("post", "ann", "Another.").code == 0)
    #expect(server.with { $0.publishedTexts } == ["Another."])
    let id = try #require(list.split(separator: " ").first { $0.hasPrefix("out-") })
    let retry = try await other.run("outbox", "--retry", String(id))
    #expect(retry.code == 0, "\(retry.error)")
    #expect(server.with { $0.publishedTexts } == ["Another.", "Later."])
  }

  @Test("the session of an unfinished upload is in the encrypted part only")
  func uploads() async throws {
    let other = try await moved(withTokens: true)
    #expect(try other.read(path(Self.upload, in: other)) == home.read(path(Self.upload)))
    try File.remove(path("backup"))
    let plain = try await moved(withTokens: false)
    #expect(!File.exists(path(Self.upload, in: plain)))
    #expect(try await plain.run("outbox").output.contains(" unknown \"Later.\""))
  }

  @Test("a damaged record of a post is refused, and a post that was there before is kept")
  func refused() async throws {
    let other = try await moved(withTokens: false)
    try File.remove(other.configuration)
    try File.remove(path("data/homeline/ann/timeline.db", in: other))
    let again = try await other.run("restore", path("backup"))
    #expect(
      again.code == 73 && again.error.contains("/ann/outbox/out-") && again.error.contains("already exists"),
      "\(again.error)")
  }

  @Test("each file of the data and state folders is in the documented list, and in the backup if the list says so")
  func everyFile() async throws {
    let daemon = try await RunningDaemon(home)
    let kinds = try Self.documentedKinds()
    var expected: [String] = []
    for folder in ["data", "state"] {
      for file in try home.files(below: path("\(folder)/homeline")) {
        let relative = String(file.dropFirst(path("\(folder)/homeline/").utf8.count))
        let kind = Self.kind(of: relative)
        let entry = kinds[kind]
        #expect(entry != nil, "\(relative): \(kind) is not in docs/reference/files.md, Backups")
        if entry == true { expected.append("\(folder)/homeline/\(relative)") }
      }
    }
    await daemon.stop()
    #expect(expected.count >= 5, "\(expected)")
    let other = try await moved(withTokens: true)
    for file in expected { #expect(File.exists(path(file, in: other)), "\(file)") }
  }

  /// The kinds of files in the documentation, and whether a backup with tokens contains them.
  private static func documentedKinds() throws -> [String: Bool] {
    let folders = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    let page = (folders.dropLast(3) + ["docs", "reference", "files.md"]).joined(separator: "/")
    let text = String(decoding: try File.read(page, limit: 1 << 20), as: UTF8.self)
    var kinds: [String: Bool] = [:]
    let start = try #require(text.split(separator: "\n").firstIndex { $0 == "| file | in a backup |" })
    for line in text.split(separator: "\n")[(start + 2)...].prefix(while: { $0.hasPrefix("|") }) {
      let cells = line.split(separator: "|").map { $0.trimmed }
      for name in cells[0].split(separator: "`").enumerated().filter({
        $0.offset % 2 == (cells[0].hasPrefix("`") ? 0 : 1)
      }) {
        kinds[String(name.element)] = !cells[1].hasPrefix("no")
      }
    }
    return kinds
  }

  /// The kind of a file: names of accounts, servers, posts and so on are replaced.
  private static func kind(of relative: String) -> String {
    var parts = relative.split(separator: "/").map { String($0) }
    if parts[0] == "_sandbox" { return "_sandbox/…" }
    if parts[0] == "_servers" { parts[1] = "SERVER" } else if parts.count > 1 { parts[0] = "ACCOUNT" }
    if let last = parts.last, parts.count > 1 {
      if last.hasPrefix("upload-") { parts[parts.count - 1] = "upload-….json" }
      if last.hasPrefix("import-") { parts[parts.count - 1] = "import-…" }
      if last.hasPrefix("out-") { parts[parts.count - 1] = "ID.json" }
    }
    return parts.joined(separator: "/")
  }
}

extension Substring {
  fileprivate var trimmed: String {
    var text = self
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
