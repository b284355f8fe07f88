import Glibc
import Platform
import TestSupport
import Testing

/// Backups by one installation and restores into another.
@Suite("`homeline backup` and `homeline restore`", .timeLimit(.minutes(3))) struct BackupCommandTests {
  private static let passphrase = "correct horse battery"

  /// Returns a home folder that contains none of homeline's files.
  private func emptyHome() throws -> TestInstallation {
    let home = try TestInstallation()
    try File.remove(home.configuration)
    return home
  }

  /// Returns all of homeline's files in a home folder except the lock.
  private func files(of home: TestInstallation) throws -> [String] {
    try ["config", "data", "state", "cache"].flatMap { try home.files(below: "\(home.path)/\($0)") }
      .filter { $0 != home.lock }
  }

  private func passphraseFile(_ home: TestInstallation, _ text: String = passphrase) throws -> String {
    let path = "\(home.path)/passphrase"
    try home.write("\(text)\n", to: path)
    return path
  }

  @Test("A backup made while the service runs contains all posts and the configuration, but no token")
  func withoutTokens() async throws {
    let fixture = try await PostingFixture(withService: true)
    fixture.post(3)
    try await fixture.run("refresh")
    let file = "\(fixture.home.path)/a backup:1.tar.gz"
    let backup = try await fixture.home.run("backup", file)
    #expect(backup.code == 0 && backup.output == "\(file): the configuration, 1 archive\n", "\(backup.error)")
    #expect(backup.error.contains("contains secrets of the configuration: accounts.demo.consumer_secret"))
    #expect(backup.error.contains("tokens are not included"))
    #expect(try FileStatus.of(file).permissions == 0o600)
    #expect(try Folder.names(in: "\(fixture.home.path)/data/homeline") == ["demo"])

    let other = try emptyHome()
    let restore = try await other.run("restore", file)
    #expect(restore.code == 0 && restore.output == "restored the configuration, 1 archive\n", "\(restore.error)")
    #expect(try other.read(other.configuration) == fixture.home.read(fixture.home.configuration))
    #expect(!File.exists(other.token))
    #expect(try Folder.names(in: "\(other.path)/data/homeline") == ["demo"])
    let posts = try await fixture.home.run("export", "demo").output
    let restored = try await other.run("export", "demo").output
    #expect(posts != "" && posts == restored)
    #expect(try await other.run("check", "--archive").code == 0)
    await fixture.end()
  }

  @Test("A backup with tokens is encrypted, and a machine that restores it can refresh without a login")
  func withTokens() async throws {
    let fixture = try await PostingFixture(withService: false)
    let home = fixture.home
    let file = "\(home.path)/backup"
    let backup = try await home.run(
      "backup", "--with-tokens", "--passphrase-file", try passphraseFile(home), file)
    #expect(backup.code == 0 && backup.output == "\(file): the configuration, 1 archive, 1 token\n", "\(backup.error)")
    let token = try JSONValue(file: home.token)
    let secrets = [token["token"].text, token["secret"].text, TwitterFixture.consumerSecret].compactMap(\.self)
    #expect(secrets.count == 3)
    let content = try await home.shell("tar -xzOf '\(file)' | tee '\(home.path)/content' | wc -c")
    #expect(content.code == 0)
    let bytes = String(decoding: try File.read("\(home.path)/content", limit: 64 << 20), as: UTF8.self)
    for secret in secrets { #expect(!bytes.contains(secret)) }

    let other = try emptyHome()
    let restore = try await other.run("restore", file, "--passphrase-file", try passphraseFile(other))
    #expect(
      restore.code == 0 && restore.output == "restored the configuration, 1 archive, 1 token\n", "\(restore.error)")
    #expect(restore.error.contains("stop using homeline on the backed-up machine"))
    fixture.post(2)
    let before = try other.names(in: "\(other.path)/data/homeline/demo")
    #expect(before.contains("timeline.db"))
    let refresh = try await other.run("refresh")
    #expect(refresh.code == 0, "\(refresh.error)")
    #expect(try FileStatus.of(other.token).permissions == 0o600)
  }

  @Test("The encrypted part can be decrypted by a program that relies only on the documented format", .needsPeers)
  func independent() async throws {
    let fixture = try await PostingFixture(withService: false)
    let home = fixture.home
    let file = "\(home.path)/backup"
    _ = try await home.run("backup", "--with-tokens", "--passphrase-file", try passphraseFile(home), file)
    _ = try await home.shell("cd '\(home.path)' && tar -xzf backup homeline-backup/private")
    let outcome = try await Peers.start(
      "decrypt_backup.py", ["\(home.path)/homeline-backup/private", Self.passphrase]
    ).end()
    #expect(outcome.code == 0, "\(outcome.error)")
    let found = try JSONValue(Array(outcome.output.utf8))
    #expect(try found["config.json"].text == home.read(home.configuration))
    let stored = try JSONValue(file: home.token)
    #expect(try JSONValue(Array((found["tokens/demo"].text ?? "").utf8)) == stored)
  }

  @Test("`homeline backup --with-tokens` warns about rotating tokens and requires the service to be stopped")
  func owner() async throws {
    let fixture = try await PostingFixture(withService: true)
    let file = "\(fixture.home.path)/backup"
    let outcome = try await fixture.home.run(
      "backup", "--with-tokens", "--passphrase-file", try passphraseFile(fixture.home), file)
    #expect(outcome.code == 75 && outcome.error.contains("is using the accounts. To end it: kill "), "\(outcome.error)")
    #expect(!File.exists(file))
    await fixture.end()
  }

  @Test(
    "A passphrase that is wrong, too short or readable by others is refused, and no file is left behind",
    arguments: [
      ("battery horse correct", 0o600, 77), ("short", 0o600, 64), ("短い合言葉", 0o600, 64),
      ("correct horse battery", 0o644, 64),
    ])
  func passphrases(text: String, mode: mode_t, code: Int32) async throws {
    let fixture = try await PostingFixture(withService: false)
    let home = fixture.home
    let file = "\(home.path)/backup"
    let path = try passphraseFile(home, code == 77 ? Self.passphrase : text)
    chmod(path, mode)
    let backup = try await home.run("backup", "--with-tokens", "--passphrase-file", path, file)
    guard code == 77 else {
      #expect(backup.code == code && !File.exists(file), "\(backup.error)")
      return
    }
    let other = try emptyHome()
    let restore = try await other.run("restore", file, "--passphrase-file", try passphraseFile(other, text))
    #expect(restore.code == 77 && restore.error.contains("the passphrase is wrong"), "\(restore.error)")
    #expect(try files(of: other) == [])
  }

  @Test("A backup that cannot be written or found is reported with the reason, and leaves no file behind")
  func unwritable() async throws {
    let fixture = try await PostingFixture(withService: false)
    let home = fixture.home
    let file = "\(home.path)/backup"
    try home.write("#!/bin/sh\necho 'No space left on device' >&2\nexit 2\n", to: "\(home.path)/bin/tar")
    chmod("\(home.path)/bin/tar", 0o700)
    let path = ProcessEnvironment.variables()["PATH"] ?? ""
    let full = try await home.run("backup", file, variables: ["PATH": "\(home.path)/bin:\(path)"])
    #expect(full.code == 74 && full.error.contains("the backup could not be written"), "\(full.error)")
    #expect(full.error.contains("No space left on device"), "\(full.error)")
    let nowhere = try await home.run("backup", "\(home.path)/none/backup")
    #expect(nowhere.code == 73 && nowhere.error == "homeline: there is no folder \(home.path)/none\n", "\(nowhere)")
    let missing = try await home.run("restore", file)
    #expect(missing.code == 65 && missing.error == "homeline: \(file): there is no such file\n", "\(missing.error)")
    #expect(try Folder.names(in: home.path).allSatisfy { !$0.hasPrefix("backup") })
  }

  @Test("`homeline restore` and `homeline backup` never replace an existing file")
  func existing() async throws {
    let fixture = try await PostingFixture(withService: false)
    let home = fixture.home
    let file = "\(home.path)/backup"
    #expect(try await home.run("backup", file).code == 0)
    let again = try await home.run("backup", file)
    #expect(again.code == 73 && again.error.contains("already exists; choose a new file name"), "\(again.error)")
    let before = try await home.shell("cat '\(home.configuration)' '\(home.token)' '\(home.database)' | sha256sum")
    let outcome = try await home.run("restore", file)
    #expect(outcome.code == 73 && outcome.error.contains("\(home.configuration) already exists"), "\(outcome.error)")
    try File.remove(home.configuration)
    let second = try await home.run("restore", file)
    #expect(second.code == 73 && second.error.contains("\(home.token) already exists"), "\(second.error)")
    let after = try await home.shell("cat '\(home.token)' '\(home.database)' | sha256sum")
    #expect(after.output != "" && before.output != "")
    #expect(try await home.run("restore", "\(home.path)/missing").code == 65)
  }

  @Test("A backup does not replace a dangling link, and packs nothing")
  func danglingLink() async throws {
    let home = try TestInstallation()
    let file = "\(home.path)/backup"
    try #require(symlink("/mnt/away/b.tar.gz", file) == 0)
    let outcome = try await home.run("backup", file, variables: ["PATH": "/nonexistent"])
    #expect(
      outcome.code == 73
        && outcome.error.contains("\(file) is a link to /mnt/away/b.tar.gz, which does not exist"), "\(outcome.error)")
    #expect(try ProcessEnvironment.linkTarget(file) == "/mnt/away/b.tar.gz")
  }

  @Test("tar and gzip end when homeline is killed, whether it packs or unpacks", arguments: [true, false])
  func killed(packs: Bool) async throws {
    let home = try TestInstallation()
    let file = "\(home.path)/file"
    if !packs {
      try File.remove(home.configuration)
      try home.write("x", to: file)
    }
    // Each writes slowly and without end, or reads to the end of its input.
    let writing = "while echo x; do sleep 0.1; done"
    for (name, script) in [("tar", packs ? writing : "exec cat > /dev/null"), ("gzip", writing)] {
      try home.write("#!/bin/sh\necho $$ > '\(home.path)/\(name).pid'\n\(script)\n", to: "\(home.path)/bin/\(name)")
      chmod("\(home.path)/bin/\(name)", 0o700)
    }
    let program = try home.start(
      [packs ? "backup" : "restore", file], ["PATH": "\(home.path)/bin:/usr/bin:/bin"])
    var processes: [Int32] = []
    for name in packs ? ["tar"] : ["tar", "gzip"] {
      var process: Int32?
      #expect(
        try await eventually {
          process = (try? home.read("\(home.path)/\(name).pid")).flatMap { Int32($0.dropLast()) }
          return process != nil
        })
      processes.append(try #require(process))
    }
    program.signal(SIGKILL)
    _ = await program.end()
    // A process that has ended stays a zombie in a container whose first process waits for none.
    for process in processes {
      #expect(
        try await eventually {
          let status = (try? File.read("/proc/\(process)/stat", limit: 4096)) ?? []
          return status.isEmpty || String(decoding: status, as: UTF8.self).contains(") Z ")
        })
    }
    // The next backup to the same file removes what the killed one left behind.
    guard packs else { return }
    #expect(try Folder.names(in: home.path).contains { $0.hasPrefix("file.new-") })
    #expect(try await home.run("backup", file).code == 0)
    #expect(try !Folder.names(in: home.path).contains { $0.hasPrefix("file.new-") })
  }

  @Test(
    "A corrupt or manipulated backup is refused, and no file is left behind",
    arguments: [
      "head -c 2000 backup > bad", "cp /bin/sh bad", ": > bad",
      "tar xzf backup && rm homeline-backup/config.json && tar czf bad homeline-backup",
      "tar xzf backup && echo x > homeline-backup/more && tar czf bad homeline-backup",
      "tar xzf backup && echo x >> homeline-backup/config.json && tar czf bad homeline-backup",
      "tar xzf backup && rm homeline-backup/config.json && ln -s /etc/passwd homeline-backup/config.json && tar czf bad homeline-backup",
      "tar xzf backup && cd homeline-backup/data/homeline/demo && dd if=/dev/zero of=timeline.db bs=1024 seek=8 count=8 conv=notrunc && cd ../../../.. && tar czf bad homeline-backup",
      "mkdir x && echo x > x/y && tar czf bad x", "mkfifo bad", "mkdir bad", "ln -s /dev/zero bad",
      "tar xzf backup && rm homeline-backup/manifest.json && mkfifo homeline-backup/manifest.json && tar czf bad homeline-backup",
      "tar czPf bad /etc/hostname",
    ])
  func damaged(script: String) async throws {
    let fixture = try await PostingFixture(withService: false)
    let home = fixture.home
    #expect(try await home.run("backup", "\(home.path)/backup").code == 0)
    _ = try await home.shell("cd '\(home.path)' && \(script)")
    let other = try emptyHome()
    let outcome = try await other.run("restore", "\(home.path)/bad")
    #expect(outcome.code == 65, "\(outcome.error)")
    #expect(try files(of: other) == [])
  }

  @Test("A restore that cannot be completed leaves no file behind")
  func incomplete() async throws {
    let fixture = try await PostingFixture(withService: false)
    let file = "\(fixture.home.path)/backup"
    #expect(try await fixture.home.run("backup", file).code == 0)
    let other = try emptyHome()
    // The configuration folder cannot be created, because its path is occupied by a file.
    try other.write("", to: "\(other.path)/obstacle")
    let outcome = try await other.run("restore", file, "--config", "\(other.path)/obstacle/config.json")
    #expect(outcome.code == 74, "\(outcome.error)")
    #expect(try files(of: other) == [])
    #expect(try await other.run("restore", file).code == 0)
  }

  @Test("On a terminal, the user types the passphrase twice, and the terminal does not show it", .needs("script"))
  func terminal() async throws {
    let fixture = try await PostingFixture(withService: false)
    let home = fixture.home
    let command = "'\(ProgramRun.product("homeline"))' backup --with-tokens '\(home.path)/backup' 2>/dev/null"
    let program = try ProgramRun(
      "script", ["-qec", command, "/dev/null"], environment: home.environment(["SHELL": "/bin/sh", "TERM": "xterm"]),
      input: .open)
    #expect(try await eventually { program.written(on: .output).contains("Passphrase for the tokens: ") })
    program.type("\(Self.passphrase)x\u{7f}\n")
    #expect(try await eventually { program.written(on: .output).contains("The same passphrase again: ") })
    program.type("\(Self.passphrase)\n")
    let outcome = await program.end()
    #expect(outcome.code == 0, "\(outcome.output)")
    #expect(!outcome.output.contains("horse") && outcome.output.contains("1 archive, 1 token"), "\(outcome.output)")
    let other = try emptyHome()
    #expect(
      try await other.run("restore", "\(home.path)/backup", "--passphrase-file", try passphraseFile(other)).code == 0)
  }

  @Test("Without a terminal or a passphrase file, `homeline backup --with-tokens` exits with 64")
  func noTerminal() async throws {
    let fixture = try await PostingFixture(withService: false)
    // The new session has no controlling terminal.
    let outcome = try await fixture.home.shell("setsid -w \"$0\" backup --with-tokens '\(fixture.home.path)/backup'")
    #expect(outcome.code == 64 && outcome.error.contains("use --passphrase-file"), "\(outcome.error)")
  }
}
