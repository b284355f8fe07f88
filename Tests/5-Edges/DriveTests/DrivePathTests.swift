import Testing

@testable import Drive

@Suite struct DrivePathTests {
  @Test("paths for the 2013 API have the slashes that it requires", arguments: DriveVectors.published.pathsSeedRule)
  func legacy(vector: DriveVectors.Path) throws {
    let path = try DrivePath(vector.given)
    #expect(path.legacyText(isFolder: vector.kind == "folder") == vector.send)
  }

  @Test("paths for the current API neither begin nor end with a slash")
  func current() throws {
    #expect(try DrivePath("/docs/").text == "docs")
    #expect(try DrivePath("/").isRoot)
    #expect(try DrivePath("a%2Fb+c d.txt").text == "a%2Fb+c d.txt")
  }

  @Test(
    "a path that a request cannot contain is refused",
    arguments: ["a|b", "a\nb", "a\u{7f}", "\0", "a/../b", "..", "./a", String(repeating: "x", count: 4097)])
  func refused(text: String) { #expect(throws: DrivePathError.self) { try DrivePath(text) } }

  @Test(
    "a refused path is shown, with the reason",
    arguments: [
      ("in/tab\tname", "in/tab\\tname: a name in the drive must not contain a tab"),
      ("a\nb", "a\\nb: a name in the drive must not contain a line feed"),
      ("a\u{7f}", "a\\u{7f}: a name in the drive must not contain the control character U+007F"),
      ("a|b", "a|b: a name in the drive must not contain |, which separates paths in requests"),
      ("a/../b", "a/../b: a path in the drive must not contain the components . or .."),
    ])
  func reason(text: String, message: String) {
    let error = #expect(throws: DrivePathError.self) { try DrivePath(text) }
    #expect(error?.description == message)
  }

  @Test("file names that differ only in their Unicode normalisation are different paths")
  func normalisation() throws {
    let (composed, decomposed) = (try DrivePath("caf\u{e9}.txt"), try DrivePath("cafe\u{301}.txt"))
    #expect(composed != decomposed)
    #expect(Set([composed, decomposed]).count == 2)
  }

  @Test("a drive path has a name and a parent")
  func parts() throws {
    let path = try DrivePath("a//b/c.txt")
    #expect(path.name == "c.txt")
    #expect(path.parent.text == "a//b")
    #expect(path.parent.parent.text == "a")
    #expect(path.parent.parent.parent.isRoot)
    #expect(try DrivePath.root.appending("x").text == "x")
    #expect(try DrivePath("a").appending("x").text == "a/x")
  }
}
