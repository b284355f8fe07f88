import Glibc
import Platform
import TestSupport
import Testing

/// Forms that the service of a web page refuses while it reads them.
@Suite("Forms that are too large for the web page or its disk", .needsPeers, .timeLimit(.minutes(4)))
struct WebRefusedFormTests {
  /// Runs the service with a file system of 16 MiB for what browsers send, in a mount namespace. Less than 64 MiB are free there.
  private static func service(_ home: TestInstallation) async throws -> RunningDaemon {
    let namespace = geteuid() == 0 ? "unshare --mount" : "unshare --user --map-root-user --mount"
    let possible = try await home.shell("\(namespace) mount -t tmpfs none /mnt")
    if possible.code != 0 { try skipTest("mount namespaces cannot be created here") }
    let drafts = "\(home.path)/state/homeline/_drafts"
    try Folder.create(drafts)
    let mount = "mount -t tmpfs -o size=16m,mode=700 tmpfs '\(drafts)'"
    let script = "\(mount) && exec '\(ProgramRun.product("homeline"))' daemon"
    let arguments = namespace.split(separator: " ").map(String.init)
    let program = try ProgramRun(
      arguments[0], arguments.dropFirst() + ["sh", "-c", script], environment: home.environment())
    try #require(await program.line(containing: " is up: ", on: .error) != nil, "\(program.written(on: .error))")
    return try RunningDaemon(home, of: program)
  }

  @Test(
    "When a form is too large or the disk is full, the browser shows it with everything typed and what to do, and it is a draft",
    arguments: ["chromium", "firefox"])
  func refused(browser: String) async throws {
    let port = try ReservedPort()
    let fixture = try await PostingHome(
      scopes: "write", more: #""web": {"port": \#(port.port)}, "media": {"megabytes": 0}"#)
    let home = fixture.home
    let daemon = try await Self.service(home)
    let files = try [(name: "small.mp4", size: 1_000_000), (name: "large.mp4", size: 300_000_000)].map { file in
      let path = try home.file(file.name, [])
      try #require(truncate(path, off_t(file.size)) == 0)
      return path
    }
    let entry = try await home.run("web", "--print")
    try #require(entry.code == 0, "\(entry.error)")
    let run = try Peers.start(
      "web_refused.py", [browser, String(entry.output.dropLast())] + files, variables: ["PATH": "/usr/bin:/bin"])
    let outcome = await run.end()
    await daemon.stop()
    if outcome.code == 77 { try skipTest("\(outcome.output)") }
    try #require(outcome.code == 0, "\(outcome.output) \(outcome.error) \(daemon.log)")
    let report = try JSONValue(Array(outcome.output.utf8))
    let pages = report["pages"].items.map { $0.items.map { $0.text ?? "" } }
    try #require(pages.count == 2 && pages.allSatisfy { $0.count == 4 }, "\(outcome.output)")
    for (page, name) in zip(pages, ["small.mp4", "large.mp4"]) {
      #expect(page[0] == "Write" && page[2] == "Refused, with \(name)." && page[3] == "A film.", "\(page)")
    }
    #expect(pages[0][1].contains("There is too little free disk space for the files."), "\(pages[0])")
    #expect(pages[0][1].contains("small.mp4 (976.5 KiB) was not kept: files can use 0 B of the disk."))
    #expect(pages[1][1].contains("The files are too large."), "\(pages[1])")
    #expect(pages[1][1].contains("large.mp4 (286.1 MiB) was not kept: all files together can have 256.0 MiB."))
    #expect(
      report["kept"].items.map(\.text) == ["Refused, with large.mp4.", "Refused, with small.mp4."], "\(report["kept"])")
    #expect(fixture.published.isEmpty)
  }
}
