import Attachments
import Glibc
import TestSupport
import Testing

/// Pictures and videos created by Pillow and exiftool (`Tests/Peers/pictures.py`).
@Suite struct PicturePeerTests {
  private static let python = getenv("HOMELINE_PEERS_PYTHON").map { String(cString: $0) }
  private static let script = Repository.path("Tests/Peers/pictures.py")
  private static let hasExiftool = ["/usr/bin/exiftool", "/usr/local/bin/exiftool"].contains { (path: String) in
    access(path, X_OK) == 0
  }

  private let folder = TemporaryFolder()

  @Test(
    "Pillow finds the same pixels, colours and orientation in a stripped picture, and no other metadata",
    .enabled(if: python != nil, "HOMELINE_PEERS_PYTHON is not set"))
  func pillow() async throws { try await compare([]) }

  @Test(
    "exiftool finds no metadata in stripped pictures, nor in videos that it wrote locations into",
    .enabled(if: python != nil, "HOMELINE_PEERS_PYTHON is not set"),
    .enabled(if: hasExiftool, "exiftool is not installed"))
  func exiftool() async throws { try await compare(["--exiftool"]) }

  private func compare(_ options: [String]) async throws {
    let made = folder.path + "/made"
    let stripped = folder.path + "/stripped"
    try #require(mkdir(made, 0o700) == 0 && mkdir(stripped, 0o700) == 0)
    let list = try await run(options + ["make", made])
    var counts: [Substring: Int] = [:]
    for line in list.split(separator: "\n") {
      let (kind, name) = (line.prefix { $0 != " " }, line.drop { $0 != " " }.dropFirst())
      counts[kind, default: 0] += 1
      let attachment = try PostAttachment("\(made)/\(name)")
      if kind == "clean" { #expect(attachment.size == attachment.file.size) }
      _ = try TemporaryFolder.write(attachment.wholeContent(), to: "\(stripped)/\(name)")
    }
    #expect(counts["strip", default: 0] > 20 && counts["clean", default: 0] > 2)
    #expect(try await run(options + ["check", made, stripped]) == "")
  }

  private func run(_ arguments: [String]) async throws -> String {
    let outcome = try await ProgramRun.run(
      Self.python!, [Self.script] + arguments,
      environment: ProgramRun.environment(home: folder.path, ["PYTHONDONTWRITEBYTECODE": "1"]))
    try #require(outcome.code == 0, "\(outcome.output)\(outcome.error)")
    return outcome.output
  }
}
