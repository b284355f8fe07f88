import Glibc
import HTTP
import TestSupport
import Testing
import Timeline

@testable import Formats

/// The bytes of the page and of the feeds. A change of their text changes the files in `Tests/Vectors/formats` too: the test writes what it
/// got to `TMPDIR`, so that the difference can be read and, if it is intended, stored.
@Suite struct StoredPageTests {
  @Test(
    "the page and the feeds have the stored bytes, for plain and for hostile posts",
    arguments: [PublishedFormat.html, .atom, .jsonFeed], [false, true])
  func bytes(format: PublishedFormat, isHostile: Bool) throws {
    var random = SeededGenerator(seed: 35)
    let publication = ElaborateSample.publication(&random, isHostile: isHostile)
    // The style sheet and the script have tests of their own.
    let text = String(decoding: format.bytes(of: publication), as: UTF8.self)
      .replacing(PageStyle.text.text, with: "").replacing(PageScript.text.text, with: "")
      .replacing(PagePolicy.styleDigest, with: "").replacing(PagePolicy.scriptDigest, with: "")
    let name = "\(isHostile ? "hostile" : "plain").\(format)"
    let stored = try Self.read(Repository.path("Tests/Vectors/formats/\(name)"))
    if text != stored {
      let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
      try Self.write(text, to: "\(folder)/\(name)")
      Issue.record("Tests/Vectors/formats/\(name) differs from \(folder)/\(name)")
    }
  }

  private static func read(_ path: String) throws -> String {
    let file = try #require(fopen(path, "r"))
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  private static func write(_ text: String, to path: String) throws {
    let file = try #require(fopen(path, "w"))
    defer { fclose(file) }
    fputs(text, file)
  }
}
