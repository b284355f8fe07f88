import Glibc
import Platform
import Settings
import TestSupport
import Testing

@testable import Sandbox

/// `homeline drive` with the simulated drive.
@Suite struct DriveCommandTests {
  private static let content = String(repeating: "0123456789abcde\n", count: 2000)

  @Test("The drive commands store, list, move, copy, remove and fetch files and folders")
  func walk() async throws {
    let test = try await DriveHome()
    let local = "\(test.path)/plan \u{65e5}.txt"
    try test.home.write("hello", to: local)
    try await test.output("mkdir", "disk:docs/old")
    try await test.output("put", local, "disk:docs/")
    #expect(try await test.output("ls", "disk:docs").split(separator: "\n").count == 2)
    let information = try await test.output("info", "disk:docs/plan \u{65e5}.txt")
    #expect(information.contains("size: 5\nsha1: aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d\n"))
    try await test.output("mv", "disk:docs/plan \u{65e5}.txt", "disk:docs/old")
    try await test.output("cp", "disk:docs/old/plan \u{65e5}.txt", "disk:b.txt")
    #expect(try await test.output("link", "disk:b.txt").hasPrefix("http://127.0.0.1:"))
    try await test.output("get", "firm:b.txt", "\(test.path)/fetched")
    #expect(try test.home.read("\(test.path)/fetched") == "hello")
    try await test.output("rm", "disk:docs", "disk:b.txt")
    #expect(try await test.output("ls", "disk:").isEmpty)
    #expect(try await test.output("ls", "firm:").isEmpty)
    await test.end()
  }

  @Test("An error response results in an error message and exit code, even if its HTTP status is 200")
  func refusals() async throws {
    let test = try await DriveHome()
    let missing = try await test.drive("rm", "disk:nothing")
    #expect(missing.code == 65 && missing.error.contains("40402"), "\(missing.error)")
    let wrong = try await test.drive("ls", "wrong:")
    #expect(wrong.code == 78 && wrong.error.contains("40104"), "\(wrong.error)")
    #expect(!wrong.error.contains("another"))
    try test.home.write("x", to: "\(test.path)/x")
    try await test.output("put", "\(test.path)/x", "disk:x")
    let exists = try await test.drive("put", "\(test.path)/x", "disk:x")
    #expect(exists.code == 73 && exists.error.contains("--replace"), "\(exists.error)")
    try await test.output("put", "\(test.path)/x", "disk:x", "--replace")
    for arguments in [
      ["ls", "local"], ["put", "x"], ["mv", "disk:a", "firm:b"], ["ls", "disk:a|b"], ["ls", "demo:"],
    ] {
      #expect(try await test.home.start(["drive"] + arguments).end().code == 64)
    }
    let bare = try await test.drive("ls", "disk")
    #expect(bare.error.contains("for the drive of the account disk, write disk:/"), "\(bare.error)")
    let account = try await test.home.run("login", "disk")
    #expect(account.code == 78 && account.error.contains("homeline drive"), "\(account.error)")
    let token = try await test.home.run("token", "disk")
    #expect(token.code == 64 && token.error.contains("needs no token"), "\(token.error)")
    let status = try await test.home.run("status", "-v", "disk")
    #expect(status.output.contains("without a login") && !status.output.contains("homeline login"), "\(status.output)")
    await test.end()
  }

  @Test("The wrong kind of file or folder is refused with its path, and nothing is transferred")
  func wrongFiles() async throws {
    let test = try await DriveHome()
    try test.home.write("x", to: "\(test.path)/x")
    try await test.output("put", "\(test.path)/x", "disk:docs/x")
    for (arguments, code, message) in [
      (["put", test.path, "disk:/"], 74, "is a folder; name the files in it"),
      (["put", "/dev/null", "disk:/"], 74, "/dev/null: not a regular file"),
      (["put", "/proc/self/maps", "disk:/"], 74, "longer than the file system says"),
      (["get", "disk:docs", test.path], 65, "docs: it is a folder, and only files can be downloaded"),
      (["get", "disk:docs/x", "\(test.path)/none/y"], 74, "there is no folder \(test.path)/none"),
      (["get", "disk:docs/x", "-"], 64, "a file named - is ./-"),
      (["info", "disk:docs/none"], 65, "docs/none: the server refused the request (40402)"),
      (["mv", "disk:docs/none", "disk:y"], 65, "docs/none: the server refused"),
      (["cp", "disk:docs/x", "disk:docs/x"], 65, "docs/x: the server refused the request (40001)"),
      (["info", "disk:in/tab\tname"], 64, "in/tab\\tname: a name in the drive must not contain a tab"),
    ] {
      let outcome = try await test.home.start(["drive"] + arguments).end()
      #expect(outcome.code == Int32(code) && outcome.error.contains(message), "\(arguments): \(outcome)")
    }
    #expect(try await test.output("ls", "disk:/").split(separator: "\n").count == 1)
    await test.end()
  }

  @Test("A target that exists is named in the same way by every command, which exits with 73")
  func taken() async throws {
    let test = try await DriveHome()
    try test.home.write("x", to: "\(test.path)/x")
    try await test.output("put", "\(test.path)/x", "disk:docs/x")
    try await test.output("put", "\(test.path)/x", "disk:docs/y")
    for (arguments, message) in [
      (["put", "\(test.path)/x", "disk:docs/x"], "\(test.path)/x: disk:docs/x exists; to replace it, add --replace"),
      (["cp", "disk:docs/x", "disk:docs/y"], "disk:docs/y exists"),
      (["mv", "disk:docs/x", "disk:docs/y"], "disk:docs/y exists"),
      (["mkdir", "disk:docs/y"], "disk:docs/y exists"),
    ] {
      let outcome = try await test.home.start(["drive"] + arguments).end()
      #expect(outcome.code == 73 && outcome.error == "homeline: \(message)\n", "\(arguments): \(outcome)")
    }
    #expect(try await test.output("ls", "disk:docs").split(separator: "\n").count == 2)
    await test.end()
  }

  @Test("Without a network, a download fails immediately and leaves no file behind")
  func unreachable() async throws {
    let test = try await DriveHome()
    await test.end()
    let outcome = try await test.drive("get", "disk:x", "\(test.path)/fetched")
    #expect(outcome.code == 69 && outcome.error.contains("cannot be reached"), "\(outcome.error)")
    #expect(try Folder.names(in: test.path).allSatisfy { !$0.contains("fetched") && !$0.hasSuffix(".part") })
  }

  @Test("After the command was killed, the next upload resumes at the server's offset")
  func killedUpload() async throws {
    let test = try await DriveHome(faults: "slow=9")
    let local = "\(test.path)/big"
    let content = String(repeating: "0123456789abcde\n", count: 40 << 16)
    try test.home.write(content, to: local)
    let upload = try test.home.start(["drive", "put", local, "disk:big"])
    // The ninth request sends the fifth block. Its response is late.
    #expect(try await eventually { test.requests("/upload_part -> ") == 5 })
    upload.signal(SIGKILL)
    _ = await upload.end()
    try await test.output("put", local, "disk:big")
    #expect(test.requests("/upload_part -> ") == 10)
    #expect(test.requests("/create_file -> ") == 1)
    try await test.output("get", "disk:big", "\(test.path)/fetched")
    #expect(try test.home.read("\(test.path)/fetched") == content)
    await test.end()
  }

  @Test("If a download command is killed, the next download resumes from the partial file")
  func killedDownload() async throws {
    let test = try await DriveHome(faults: "slow=11", "content-broken")
    try test.home.write(Self.content, to: "\(test.path)/local")
    try await test.output("put", "\(test.path)/local", "disk:a")
    let folder = "\(test.path)/fetched"
    try Folder.create(folder)
    // The tenth request is the first one for the content, and its response breaks off. The response to the eleventh
    // request is late.
    let download = try test.home.start(["drive", "get", "disk:a", folder])
    #expect(
      try await eventually {
        try test.home.files(below: folder).contains { try $0.hasSuffix(".part") && FileStatus.of($0).size == 10_000 }
      })
    download.signal(SIGKILL)
    _ = await download.end()
    #expect(!File.exists("\(folder)/a"))
    try await test.output("get", "disk:a", folder)
    #expect(try test.home.names(in: folder) == ["a"])
    #expect(try test.home.read("\(folder)/a") == Self.content)
    #expect(test.requests(" -> 200") > 0 && test.requests("/content/") == test.requests(" -> 206") + 1)
    await test.end()
  }

  @Test(
    "downloads succeed despite server faults",
    arguments: [
      FaultName.rangeIgnored, .wrongRange, .compressedRange, .contentChanged, .addressExpired, .rangeRefused,
    ])
  func faultyDownload(_ fault: FaultName) async throws {
    let test = try await DriveHome(faults: "\(fault.rawValue)=2", "content-broken=3")
    try test.home.write(Self.content, to: "\(test.path)/local")
    try await test.output("put", "\(test.path)/local", "disk:a")
    for number in 0..<3 {
      try await test.output("get", "disk:a", "\(test.path)/fetched-\(number)")
      #expect(try test.home.read("\(test.path)/fetched-\(number)") == Self.content)
    }
    await test.end()
  }

  @Test("A user can log in with a password and use the files; the password is not stored")
  func user() async throws {
    let test = try await DriveHome()
    let before = try await test.drive("ls", "mine:/")
    #expect(before.code == 77 && before.error.contains("homeline login mine"), "\(before.error)")
    let login = try test.home.start(["login", "mine"], input: .open)
    #expect(await login.line(containing: "The password is not kept", on: .error) != nil)
    login.type("\(GokuaiSandbox.userName)\n\(GokuaiSandbox.password)\n")
    let outcome = await login.end()
    #expect(outcome.code == 0 && outcome.output.contains(GokuaiSandbox.userName), "\(outcome.error)")
    try test.home.write("hello", to: "\(test.path)/local")
    try await test.output("mkdir", "mine:docs")
    try await test.output("put", "\(test.path)/local", "mine:a.txt")
    try await test.output("mv", "mine:a.txt", "mine:docs/b.txt")
    try await test.output("cp", "mine:docs/b.txt", "mine:/")
    try await test.output("get", "mine:b.txt", "\(test.path)/fetched")
    #expect(try test.home.read("\(test.path)/fetched") == "hello")
    #expect(try await test.output("ls", "mine:docs").contains(" b.txt\n"))
    try await test.output("rm", "mine:docs", "mine:b.txt")
    let link = try await test.drive("link", "mine:b.txt")
    #expect(link.code == 78, "\(link.error)")
    for file in try test.home.files(below: test.path) where !file.hasSuffix("config.json") {
      let text = try test.home.read(file)
      #expect(!text.contains(GokuaiSandbox.password) && !text.contains("54ef36ec71201fdf9d1423fd26f97f6b"), "\(file)")
    }
    await test.end()
  }

  @Test("The 2013 API uploads a file in a single multipart request")
  func legacyUpload() async throws {
    let test = try await DriveHome()
    let login = try test.home.start(
      ["login", "old"], input: .text("\(GokuaiSandbox.userName)\n\(GokuaiSandbox.password)\n"))
    #expect(await login.end().code == 0)
    let content = String(repeating: "--\r\n", count: 200_000)
    try test.home.write(content, to: "\(test.path)/local \"x\"")
    try await test.output("put", "\(test.path)/local \"x\"", "old:docs/")
    #expect(test.requests("/1/file/upload -> 200") == 1 && test.requests("create_file") == 0)
    try await test.output("get", "old:docs/local \"x\"", "\(test.path)/fetched")
    #expect(try test.home.read("\(test.path)/fetched") == content)
    await test.end()
  }

  @Test("A wrong or empty password is refused")
  func wrongPassword() async throws {
    let test = try await DriveHome()
    for (input, message) in [
      ("mira@example.org\nwrong\n", "40303"), ("mira@example.org\n\n", "no user name or password"),
    ] {
      let login = try test.home.start(["login", "mine"], input: .open)
      #expect(await login.line(containing: "The password is not kept", on: .error) != nil)
      login.type(input)
      let outcome = await login.end()
      #expect(outcome.code == 77 && outcome.error.contains(message), "\(outcome.error)")
    }
    await test.end()
  }

  @Test("One command can transfer several files, and continues if one of them fails")
  func several() async throws {
    let test = try await DriveHome()
    for number in 0..<5 { try test.home.write("content \(number)", to: "\(test.path)/file-\(number)") }
    let files = (0..<5).map { "\(test.path)/file-\($0)" }
    let put = try await test.home.start(["drive", "put", "--jobs", "2"] + files + ["disk:all/"]).end()
    #expect(put.code == 0, "\(put.error)")
    try Folder.create("\(test.path)/back")
    let get = try await test.home.start(
      ["drive", "get"] + (0..<5).map { "disk:all/file-\($0)" } + ["disk:all/missing", "\(test.path)/back"]
    ).end()
    #expect(get.code == 65 && get.error.contains("all/missing"), "\(get.error)")
    #expect(try test.home.names(in: "\(test.path)/back").sorted() == (0..<5).map { "file-\($0)" })
    await test.end()
  }

  @Test(
    "If the server refuses a token, the token is renewed and the transfers continue",
    arguments: [FaultName.tokenExpired, .tokenExpiredHidden])
  func renewedToken(_ fault: FaultName) async throws {
    let test = try await DriveHome(faults: "\(fault.rawValue)=2")
    try await test.logIn("library")
    let renewals = test.requests("oauth2/token2 -> 200")
    try test.home.write(Self.content, to: "\(test.path)/local")
    try await test.output("put", "\(test.path)/local", "library:a.txt")
    try await test.output("get", "library:a.txt", "\(test.path)/fetched")
    #expect(try test.home.read("\(test.path)/fetched") == Self.content)
    #expect(test.requests("oauth2/token2 -> 200") > renewals + 1)
    await test.end()
  }

  @Test(
    "A token response may state the lifetime as a time or a string or omit it, and may omit the refresh token",
    arguments: [FaultName.lifetimeAsTime, .lifetimeAsText, .lifetimeMissing, .refreshMissing])
  func lifetimes(_ fault: FaultName) async throws {
    let test = try await DriveHome(faults: fault.rawValue)
    try await test.logIn("library")
    let status = try JSONValue(Array(try await test.home.run("status", "library", "--json").output.utf8))
    let token = status["accounts"].items.first?["token"]
    #expect((token?["expires_at"].text != nil) == (fault != .lifetimeMissing), "\(status)")
    #expect((token?["renews_at"].text != nil) == (fault == .lifetimeAsTime || fault == .lifetimeAsText), "\(status)")
    #expect(try await test.output("ls", "library:").isEmpty)
    await test.end()
  }

  @Test(
    "an upload succeeds despite an incorrect clock, an unreachable upload server, and a missing or quoted offset",
    arguments: [
      FaultName.clockAhead, .deadServer, .offsetMissing, .offsetEmpty, .offsetQuoted, .sessionMissing, .wrongCount,
    ])
  func faultyUpload(_ fault: FaultName) async throws {
    let isOnce = fault == .offsetMissing || fault == .offsetEmpty || fault == .sessionMissing
    let test = try await DriveHome(faults: fault.rawValue + (isOnce ? "=2" : ""))
    for name in ["first", "second"] {
      try test.home.write(Self.content + name, to: "\(test.path)/\(name)")
      try await test.output("put", "\(test.path)/\(name)", "disk:\(name)")
    }
    #expect(try await test.output("ls", "disk:").split(separator: "\n").count == 2)
    try await test.output("get", "disk:second", "\(test.path)/fetched")
    #expect(try test.home.read("\(test.path)/fetched") == Self.content + "second")
    await test.end()
  }

  @Test("A folder that changes while it is being listed is listed completely")
  func shrinkingFolder() async throws {
    let test = try await DriveHome(faults: "folder-shrinks=5")
    let mkdir = try await test.home.start(["drive", "mkdir"] + (100..<250).map { "disk:\($0)" }).end()
    try #require(mkdir.code == 0, "\(mkdir.error)")
    let names = (100..<250).map { "\($0)/" }
    for _ in 0..<2 {
      let lines = try await test.output("ls", "disk:").split(separator: "\n")
      #expect(lines.compactMap { $0.split(separator: " ").last.map { String($0) } }.sorted() == names)
    }
    #expect(test.requests("/file/ls") > 6)
    await test.end()
  }

  @Test("A download does not follow a redirect to plain HTTP, and a response with result 0 is an error")
  func refusedWays() async throws {
    let test = try await DriveHome(faults: "content-redirected")
    try test.home.write("x", to: "\(test.path)/x")
    try await test.output("put", "\(test.path)/x", "disk:x")
    let redirected = try await test.drive("get", "disk:x", "\(test.path)/fetched")
    #expect(redirected.code == 77 && redirected.error.contains("not allowed"), "\(redirected.error)")
    await test.end()
    let other = try await DriveHome(faults: "result-zero")
    let refused = try await other.drive("mkdir", "disk:a")
    #expect(refused.code == 77 && refused.error.contains("not possible"), "\(refused.error)")
    await other.end()
  }
}
