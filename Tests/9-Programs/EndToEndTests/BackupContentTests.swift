import Glibc
import Platform
import Sandbox
import SandboxSupport
import Settings
import TestSupport
import Testing

/// What a backup contains besides the archive: the outbox and unfinished uploads.
@Suite("The contents of backups", .timeLimit(.minutes(3))) struct BackupContentTests {
  private static let upload = "state/homeline/ann/upload-0123456789abcdef.json"

  private let server: SandboxServer<MastodonSandbox>
  private let home: TestInstallation

  /// Returns an account whose server fails to publish posts, so that they wait in the outbox.
  init() async throws {
    server = try SandboxServer(MastodonSandbox(.mastodon))
    home = try TestInstallation()
    try home.configure(
      """
      { "callback": { "port": 0 }, "sandbox": { "port": 0 }, "accounts": { "ann": { "provider": "mastodon",
        "server": "\(server.baseURL)", "refresh_seconds": 86400,
        "scopes": ["read:accounts", "read:statuses", "write"] } } }
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

  /// Makes a backup and restores it into another home folder.
  private func moved(withTokens: Bool, posts: Int = 1) async throws -> TestInstallation {
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
      restore.error.contains("\(posts) post\(posts == 1 ? "" : "s") in the outbox may have been posted by"),
      "\(restore.error)")
    return other
  }

  @Test("After a restore, a waiting post is sent only at the user's request, and is published only once")
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

  /// Returns the ids of the posts in an outbox, in the order they are listed.
  private func ids(in home: TestInstallation) async throws -> [String] {
    try await home.run("outbox").output.split(separator: " ").filter { $0.hasPrefix("out-") }.map { String($0) }
  }

  private func outboxFolder(of home: TestInstallation) -> String { path("data/homeline/ann/outbox", in: home) }

  @Test("The new machine can send a waiting post with its files, without the original files or their metadata")
  func files() async throws {
    let (one, two) = (PostFile.picture("media/one"), PostFile.picture("media/two"))
    let first = try home.file("holiday.png", one + Array("canary location".utf8))
    let second = try home.file("second.png", two + Array("kept".utf8))
    server.withFaults { $0.add(.named(.uploadLimited), to: "/api/v2/media", times: 2) }
    _ = try await home.run("post", "ann", "With a picture.", "--media", first, "--alt", "Waves")
    _ = try await home.run("post", "ann", "Unchanged.", "--media", second, "--keep-metadata")
    let file = path("backup")
    let backup = try await home.run("backup", file)
    #expect(backup.code == 0 && !backup.error.contains("not included: "), "\(backup.error)")
    let unpacked = try await home.shell("cd '\(home.path)' && mkdir unpacked && tar -xzf backup -C unpacked")
    #expect(unpacked.code == 0, "\(unpacked.error)")
    let copies = try home.files(below: path("unpacked")).filter { $0.hasSuffix("-1") }
    #expect(Set(try copies.map { try File.read($0, limit: 1 << 20) }) == [one, two + Array("kept".utf8)])
    for original in [first, second] { try File.remove(original) }
    server.withFaults { $0.removeAll() }

    let other = try TestInstallation()
    try File.remove(other.configuration)
    let restore = try await other.run("restore", file)
    #expect(restore.code == 0 && !restore.error.contains("not in the backup"), "\(restore.error)")
    try await other.logIn("ann")
    let ids = try await ids(in: other)
    try #require(ids.count == 3)
    for (id, text) in zip(ids[1...], ["With a picture.", "Unchanged."]) {
      #expect(try Folder.names(in: outboxFolder(of: other)).contains("\(id)-1"))
      let retry = try await other.run("outbox", "--retry", id)
      #expect(retry.code == 0 && server.with { $0.publishedTexts.last } == text, "\(retry.error)")
      #expect(try !Folder.names(in: outboxFolder(of: other)).contains("\(id)-1"))
    }
    let sent = server.with { $0.uploadedFiles }
    #expect(sent.map(\.content) == [one, two + Array("kept".utf8)] && sent.map(\.description) == ["Waves", nil])
  }

  @Test("A restored post's files are part of the next backup and are removed together with the post")
  func filesAgain() async throws {
    let picture = try home.file("a.png", PostFile.picture())
    server.withFaults { $0.add(.named(.uploadLimited), to: "/api/v2/media") }
    _ = try await home.run("post", "ann", "With a picture.", "--media", picture)
    let other = try await moved(withTokens: true, posts: 2)
    let id = try #require(try await ids(in: other).last)
    let again = try await other.run("backup", path("again", in: other))
    #expect(again.code == 0 && !again.error.contains("not included: "), "\(again.error)")
    let list = try await other.shell("tar -tzf '\(path("again", in: other))'")
    #expect(list.output.contains("ann/outbox/\(id)-1\n"), "\(list.output)")
    #expect(try await other.run("outbox", "--discard", id).code == 0)
    #expect(try Folder.names(in: outboxFolder(of: other)).count == 1)
  }

  @Test(
    "`homeline backup` and `homeline restore` name each file of a post that has changed or no longer exists",
    arguments: [true, false])
  func missingFile(isChanged: Bool) async throws {
    let picture = try home.file("a.png", PostFile.picture())
    server.withFaults { $0.add(.named(.uploadLimited), to: "/api/v2/media") }
    _ = try await home.run("post", "ann", "With a picture.", "--media", picture)
    let id = try #require(try await ids(in: home).last)
    if isChanged { _ = try home.file("a.png", PostFile.picture("media/other")) } else { try File.remove(picture) }
    let backup = try await home.run("backup", path("backup"))
    #expect(
      backup.code == 0 && backup.error.contains("not included: a file of the post \(id): ")
        && backup.error.contains(isChanged ? "has changed since the post was written" : "No such file"),
      "\(backup.error)")
    #expect(backup.error.contains(picture), "\(backup.error)")
    let other = try TestInstallation()
    try File.remove(other.configuration)
    let restore = try await other.run("restore", path("backup"))
    #expect(
      restore.code == 0
        && restore.error.contains(
          "not in the backup: \(picture), a file of the post \(id) of ann. If it was not posted"),
      "\(restore.error)")
    try await other.logIn("ann")
    let retry = try await other.run("outbox", "--retry", id)
    #expect(retry.code == 65 && retry.error.contains(picture), "\(retry.error)")
  }

  @Test("A backup with a changed file or a missing record is refused")
  func damagedFile() async throws {
    let picture = try home.file("a.png", PostFile.picture())
    server.withFaults { $0.add(.named(.uploadLimited), to: "/api/v2/media") }
    _ = try await home.run("post", "ann", "With a picture.", "--media", picture)
    try #require(try await home.run("backup", path("backup")).code == 0)
    let id = try #require(try await ids(in: home).last)
    let scripts = [
      "printf x | dd conv=notrunc of=homeline-backup/data/homeline/ann/outbox/\(id)-1",
      "rm homeline-backup/data/*/ann/outbox/\(id).json",
    ]
    for script in scripts {
      let change = try await home.shell(
        """
        cd '\(home.path)' && rm -rf unpacked && mkdir unpacked && cd unpacked && tar -xzf ../backup && (\(script)) &&
        python3 -c 'import json,os; m=json.load(open("homeline-backup/manifest.json")); m["files"]=[f for f in m["files"]
        if os.path.exists("homeline-backup/"+f["path"])]; json.dump(m,open("homeline-backup/manifest.json","w"))' &&
        tar -czf ../changed homeline-backup
        """)
      try #require(change.code == 0, "\(change.error)")
      let other = try TestInstallation()
      try File.remove(other.configuration)
      let restore = try await other.run("restore", path("changed"))
      #expect(restore.code == 65 && restore.error.contains("\(id)-1"), "\(restore.error)")
      #expect(!File.exists(outboxFolder(of: other)) && !File.exists(other.configuration))
    }
  }

  @Test("The memory use of a backup or restore does not grow with the size of the files")
  func memory() async throws {
    let video = try home.file("a.mp4", PostFile.video(48_000_000))
    server.withFaults { $0.add(.named(.uploadLimited), to: "/api/v2/media", times: 2) }
    var peaks: [(backup: Int, restore: Int)] = []
    // homeline waits for this program after it has copied the files.
    try home.write(
      """
      #!/bin/sh
      while [ ! -e '\(path("go"))' ]; do sleep 0.02; done
      exec /bin/tar "$@"
      """, to: path("bin/tar"))
    chmod(path("bin/tar"), 0o700)
    try home.write("correct horse battery\n", to: path("passphrase"))
    for round in 1...2 {
      if round == 2 { _ = try await home.run("post", "ann", "A video.", "--media", video) }
      try? File.remove(path("go"))
      // The backup contains no tokens, because deriving a key needs more memory than the video.
      let backup = try home.start(["backup", path("plain-\(round)")], ["PATH": "\(path("bin")):/usr/bin:/bin"])
      let writing = ProcessStatistics(process: backup.process)
      try #require(await eventually { try writing.children() > 0 })
      let before = try writing.peakMemory()
      try home.write("", to: path("go"))
      #expect(await backup.end().code == 0)

      let file = path("backup-\(round)")
      let encrypted = try await home.run("backup", file, "--with-tokens", "--passphrase-file", path("passphrase"))
      #expect(encrypted.code == 0, "\(encrypted.error)")
      let other = try TestInstallation()
      try File.remove(other.configuration)
      // homeline waits for the passphrase after it has read the files.
      let pipe = path("pipe", in: other)
      try #require(mkfifo(pipe, 0o600) == 0)
      let restore = try other.start(["restore", file, "--passphrase-file", pipe])
      let answer = try await OwnThread.run { open(pipe, O_WRONLY) }
      peaks.append((before, try ProcessStatistics(process: restore.process).peakMemory()))
      _ = write(answer, "correct horse battery\n", 22)
      close(answer)
      let outcome = await restore.end()
      #expect(outcome.code == 0, "\(outcome.error)")
    }
    // A sanitizer keeps freed memory for a while.
    #expect(
      peaks[1].backup - peaks[0].backup < 8000 && peaks[1].restore - peaks[0].restore < 8000 || Sanitizer.isOn,
      "\(peaks)")
  }

  @Test("The session of an unfinished upload is only in the encrypted part")
  func uploads() async throws {
    let other = try await moved(withTokens: true)
    #expect(try other.read(path(Self.upload, in: other)) == home.read(path(Self.upload)))
    try File.remove(path("backup"))
    let plain = try await moved(withTokens: false)
    #expect(!File.exists(path(Self.upload, in: plain)))
    #expect(try await plain.run("outbox").output.contains(" unknown \"Later.\""))
  }

  @Test("`homeline restore` stops if a post's outbox record already exists")
  func refused() async throws {
    let other = try await moved(withTokens: false)
    try File.remove(other.configuration)
    try File.remove(path("data/homeline/ann/timeline.db", in: other))
    let again = try await other.run("restore", path("backup"))
    #expect(
      again.code == 73 && again.error.contains("/ann/outbox/out-") && again.error.contains("already exists"),
      "\(again.error)")
  }

  @Test(
    "The documentation lists every file in the data and state folders, and whether a backup contains it")
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

  /// Returns the documented kinds of files, and whether a backup with tokens contains each.
  private static func documentedKinds() throws -> [String: Bool] {
    let page = Repository.path("docs/reference/files.md")
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

  /// Returns the kind of a file: its path, with placeholders for the names of accounts, servers, posts and so on.
  private static func kind(of relative: String) -> String {
    var parts = relative.split(separator: "/").map { String($0) }
    if parts[0] == "_sandbox" { return "_sandbox/…" }
    if parts[0] == "_servers" { parts[1] = "SERVER" } else if parts.count > 1 { parts[0] = "ACCOUNT" }
    if let last = parts.last, parts.count > 1 {
      if last.hasPrefix("upload-") { parts[parts.count - 1] = "upload-….json" }
      if last.hasPrefix("import-") { parts[parts.count - 1] = "import-…" }
      if last.hasPrefix("out-") { parts[parts.count - 1] = last.hasSuffix(".json") ? "ID.json" : "ID-N" }
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
