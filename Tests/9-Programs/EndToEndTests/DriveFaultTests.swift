import Glibc
import Platform
import Sandbox
import Settings
import TestSupport
import Testing

/// `homeline drive` with a simulated drive that misbehaves.
@Suite("`homeline drive`: server faults", .timeLimit(.minutes(3))) struct DriveFaultTests {
  /// Two blocks and one byte, so that the last block has one byte.
  private static let blocks = String(repeating: "0123456789abcdef", count: 8 << 16) + "!"

  // MARK: Signatures

  @Test("A command that repeats a request within a second never reuses its signature")
  func signatures() async throws {
    let test = try await DriveHome(faults: "replay-refused")
    try test.home.write("hello", to: "\(test.path)/a.txt")
    try await test.output("mkdir", "disk:docs", "disk:docs", "disk:docs")
    #expect(test.requests(" -> 200") == 3 && test.requests(" -> 400") == 0)
    // These commands may compute the same signature as an earlier command, and then repeat the request.
    try await test.output("put", "\(test.path)/a.txt", "disk:docs")
    let paths = Array(repeating: "disk:docs/a.txt", count: 5)
    let information = try await test.home.start(["drive", "info"] + paths).end()
    #expect(
      information.code == 0 && information.output.split(separator: "\n").count { $0.hasPrefix("sha1: ") } == 5,
      "\(information.error)")
    try await test.output("cp", "disk:docs/a.txt", "disk:b.txt")
    try await test.output("mv", "disk:b.txt", "disk:docs/b.txt")
    try Folder.create("\(test.path)/out")
    try await test.output("get", "disk:docs/a.txt", "disk:docs/b.txt", "\(test.path)/out")
    try await test.output("rm", "disk:docs/b.txt")
    await test.end()
  }

  @Test(
    "Several commands in the same second all succeed, because homeline replaces a refused signature with a later one")
  func simultaneousCommands() async throws {
    let test = try await DriveHome(faults: "replay-refused")
    // Repeat until two commands have used the same second.
    for _ in 0..<10 where test.requests(" -> 400") == 0 {
      let lists = try (0..<2).map { _ in try test.home.start(["drive", "ls", "disk:"]) }
      for list in lists {
        let outcome = await list.end()
        #expect(outcome.code == 0, "\(outcome.error)")
      }
    }
    #expect(test.requests(" -> 400") > 0)
    await test.end()
  }

  @Test("A wrong key is reported after one more request")
  func wrongKey() async throws {
    let test = try await DriveHome()
    let outcome = try await test.drive("ls", "wrong:")
    #expect(outcome.code == 78 && outcome.error.contains("40104") && test.requests("/file/ls") == 2, "\(outcome.error)")
    await test.end()
  }

  @Test("Once the server has refused the refresh token, only a new login helps")
  func refreshRefused() async throws {
    // The second token request is the first renewal.
    let test = try await DriveHome(faults: "refresh-refused=2", "token-expired=2")
    try await test.logIn("library")
    var outcome = try await test.drive("ls", "library:")
    for _ in 0..<3 where outcome.code == 0 { outcome = try await test.drive("ls", "library:") }
    #expect(outcome.code == 77 && outcome.error.contains("homeline login library"), "\(outcome.error)")
    await test.end()
  }

  // MARK: Uploads

  @Test(
    "If the server never finishes assembling a file, the upload stops after eleven requests and keeps its session for the next run"
  )
  func endlessAssembly() async throws {
    let test = try await DriveHome(faults: "assembling=1")
    try test.home.write("hello", to: "\(test.path)/a.txt")
    let outcome = try await test.drive("put", "\(test.path)/a.txt", "disk:a.txt")
    #expect(outcome.code == 69 && outcome.error.contains("is still assembling the file; run the command again"))
    #expect(test.requests("/upload_finish -> 202") == 11 && test.requests("/upload_part") == 1, "\(outcome.error)")
    #expect(try test.home.files(below: "\(test.path)/state").contains { $0.contains("/upload-") })
    await test.end()
  }

  @Test("An upload gives up after a few requests if the server refuses every block")
  func endlessConflict() async throws {
    let test = try await DriveHome(faults: "block-conflict")
    try test.home.write("hello", to: "\(test.path)/a.txt")
    let outcome = try await test.drive("put", "\(test.path)/a.txt", "disk:a.txt")
    #expect(outcome.code == 69 && outcome.error.contains("refuses every block"), "\(outcome.error)")
    #expect((2...20).contains(test.requests("/upload_part -> 409")))
    await test.end()
  }

  @Test(
    "An upload copes with lost, refused and repeated blocks, and its last block of one byte arrives",
    arguments: [FaultName.blockConflict, .blockLost, .sessionLost, .assembling, .badGateway, .noAnswer])
  func blocks(_ fault: FaultName) async throws {
    // A block fault affects the second block of the second file.
    let test = try await DriveHome(faults: "\(fault.rawValue)=\(fault == .assembling ? 2 : 5)")
    for name in ["a", "b"] {
      try test.home.write(name + Self.blocks, to: "\(test.path)/\(name)")
      try await test.output("put", "\(test.path)/\(name)", "disk:\(name)")
    }
    let information = try await test.output("info", "disk:b")
    #expect(information.contains("size: \(Self.blocks.utf8.count + 1)\n"), "\(information)")
    await test.end()
  }

  @Test("A block refused with status 200 is an error, and the next run resumes the upload")
  func hiddenError() async throws {
    // The eighth request sends the third block.
    let test = try await DriveHome(faults: "hidden-error=8")
    try test.home.write(Self.blocks, to: "\(test.path)/a")
    let refused = try await test.drive("put", "\(test.path)/a", "disk:a")
    #expect(refused.code == 77 && refused.error.contains("40310"), "\(refused.error)")
    try await test.output("put", "\(test.path)/a", "disk:a")
    #expect(try await test.output("info", "disk:a").contains("size: \(Self.blocks.utf8.count)\n"))
    #expect(test.requests("/upload_part -> ") == 4)
    await test.end()
  }

  @Test(
    "Empty files and files with a one-byte last block are transferred unchanged, and content on the server is not sent again"
  )
  func sizes() async throws {
    let test = try await DriveHome()
    for (name, content) in [("empty", ""), ("one", "x"), ("blocks", Self.blocks)] {
      try test.home.write(content, to: "\(test.path)/\(name)")
      try await test.output("put", "\(test.path)/\(name)", "disk:\(name)")
      try await test.output("get", "disk:\(name)", "\(test.path)/back-\(name)")
      #expect(try test.home.read("\(test.path)/back-\(name)") == content)
    }
    let blocks = test.requests("/upload_part")
    #expect(blocks == 4)
    try await test.output("put", "\(test.path)/blocks", "disk:again")
    #expect(test.requests("/upload_part") == blocks)
    try await test.output("get", "disk:again", "\(test.path)/again")
    #expect(try test.home.read("\(test.path)/again") == Self.blocks)
    await test.end()
  }

  @Test("content that the server recognises only when the upload starts is not sent again")
  func contentKnownLater() async throws {
    let test = try await DriveHome(faults: "content-known")
    try test.home.write(Self.blocks, to: "\(test.path)/a")
    try await test.output("put", "\(test.path)/a", "disk:a")
    let blocks = test.requests("/upload_part")
    #expect(blocks == 3)
    try await test.output("put", "\(test.path)/a", "disk:b")
    #expect(test.requests("/upload_part") == blocks && test.requests("/upload_init -> 202") == 1)
    try await test.output("get", "disk:b", "\(test.path)/back")
    #expect(try test.home.read("\(test.path)/back") == Self.blocks)
    await test.end()
  }

  @Test("a block is not sent to the address that the upload server redirects to")
  func redirectedBlock() async throws {
    let test = try await DriveHome(faults: "block-redirected")
    try test.home.write("hello", to: "\(test.path)/a.txt")
    let outcome = try await test.drive("put", "\(test.path)/a.txt", "disk:a.txt")
    #expect(outcome.code == 69 && outcome.error.contains("redirects to another URL (302)"), "\(outcome)")
    #expect((1...20).contains(test.requests("/upload_part -> 302")))
    await test.end()
  }

  @Test("a refused signature (401041) is reported as a wrong key, unless another signature is accepted")
  func refusedSignature() async throws {
    let once = try await DriveHome(faults: "signature-refused=2")
    try await once.output("mkdir", "disk:docs")
    try await once.output("ls", "disk:")
    #expect(once.requests(" -> 401") > 0)
    await once.end()
    let always = try await DriveHome(faults: "signature-refused")
    let outcome = try await always.drive("ls", "disk:")
    #expect(outcome.code == 78 && outcome.error.contains("401041"), "\(outcome.error)")
    #expect(always.requests("/file/ls -> 401") == 2)
    await always.end()
  }

  // MARK: Names

  @Test("Files keep unusual names, and names that differ only in Unicode normalisation are distinct")
  func names() async throws {
    let test = try await DriveHome()
    let names = [
      "100%.txt", "a+b&c=d.txt", "a%2Fb", "\u{1f600}\u{200d}.png", "caf\u{e9}", "cafe\u{301}", "...", "a;b\"c'd#e?f",
      String(repeating: "\u{4f1a}", count: 85),
    ]
    for (number, name) in names.enumerated() {
      // A temporary file beside this one would have too long a name.
      try test.home.write("content \(number)", to: "\(test.path)/in/new")
      try File.rename("\(test.path)/in/new", to: "\(test.path)/in/\(name)")
      try await test.output("put", "\(test.path)/in/\(name)", "disk:docs/")
    }
    let listed = try await test.output("ls", "disk:docs").split(separator: "\n").compactMap { line in
      line.split(separator: " ", maxSplits: 2).last.map { Array($0.utf8) }
    }
    #expect(Set(listed) == Set(names.map { Array($0.utf8) }))
    try Folder.create("\(test.path)/out")
    for (number, name) in names.enumerated() {
      try await test.output("get", "disk:docs/\(name)", "\(test.path)/out")
      #expect(try test.home.read("\(test.path)/out/\(name)") == "content \(number)", "\(name)")
    }
    for path in ["disk:a|b", "disk:a\nb", "disk:../b", "disk:a/../b"] {
      let refused = try await test.drive("rm", path)
      #expect(refused.code == 64, "\(path.debugDescription): \(refused.error)")
    }
    await test.end()
  }
}
