import Glibc
import TestSupport
import Testing

@testable import Platform

/// Names for new files, which may be taken by dangling links, or meanwhile by other processes.
@Suite struct FreeNameTests {
  private let folder = TemporaryFolder()
  private var source: String { "\(folder.path)/source" }
  private var target: String { "\(folder.path)/target" }

  private func write(_ text: String, to path: String) throws {
    try AtomicFile.write(Array(text.utf8), to: path, .replaced)
  }

  private func text(of path: String) throws -> String {
    String(decoding: try File.read(path, limit: 100), as: UTF8.self)
  }

  @Test("a dangling or circular link makes a name unavailable, and the reason includes the link's target")
  func links() throws {
    #expect(FreeName.use(of: target) == nil)
    try #require(symlink("/mnt/away/memo.txt", target) == 0)
    #expect(FreeName.use(of: target) == "\(target) is a link to /mnt/away/memo.txt, which does not exist")
    let error = #expect(throws: SystemError.self) { try FreeName.require(target) }
    #expect(error?.isExisting == true && error?.description == FreeName.use(of: target))
    let circle = "\(folder.path)/circle"
    try #require(symlink("circle", circle) == 0)
    #expect(FreeName.use(of: circle) == "\(circle) is a link to circle, which cannot be reached")
    try write("x", to: source)
    let link = "\(folder.path)/link"
    try #require(symlink(source, link) == 0)
    #expect(FreeName.use(of: link) == "\(link) already exists")
    #expect(FreeName.use(of: folder.path) == "\(folder.path) already exists")
  }

  @Test(
    "a file moves to a free name with its content and mode, whichever methods the file system supports",
    arguments: FreeName.Move.allCases)
  func moved(way: FreeName.Move) throws {
    try write("new", to: source)
    chmod(source, 0o640)
    try FreeName.move(source, to: target, by: [way])
    #expect(try text(of: target) == "new")
    #expect(try FileStatus.of(target).permissions == 0o640)
    #expect(try Folder.names(in: folder.path) == ["target"])
  }

  @Test(
    "both the file at the new name and the file to be moved are kept",
    arguments: FreeName.Move.allCases, ["file", "link", "folder"])
  func taken(way: FreeName.Move, kind: String) throws {
    try write("new", to: source)
    switch kind {
    case "file": try write("old", to: target)
    case "link": try #require(symlink("/mnt/away/x", target) == 0)
    default: try #require(mkdir(target, 0o700) == 0)
    }
    let error = #expect(throws: SystemError.self) { try FreeName.move(source, to: target, by: [way]) }
    #expect(error?.isExisting == true && error?.description == FreeName.use(of: target))
    #expect(try text(of: source) == "new")
    if kind == "file" { #expect(try text(of: target) == "old") }
    if kind == "link" { #expect(try ProcessEnvironment.linkTarget(target) == "/mnt/away/x") }
  }

  @Test("a new file never replaces another one, and no temporary file is left behind")
  func created() throws {
    try AtomicFile.create(Array("one".utf8), at: target)
    let error = #expect(throws: SystemError.self) { try AtomicFile.create(Array("two".utf8), at: target) }
    #expect(error?.description == "\(target) already exists")
    #expect(try text(of: target) == "one")
    #expect(try Folder.names(in: folder.path) == ["target"])
  }

  @Test("content that cannot be recreated is not written over a dangling link, but other content is")
  func replaced() throws {
    try #require(symlink("/mnt/away/token.json", target) == 0)
    let error = #expect(throws: SystemError.self) { try AtomicFile.write([1], to: target, .synced) }
    #expect(error?.description == "\(target) is a link to /mnt/away/token.json, which does not exist")
    #expect(try ProcessEnvironment.linkTarget(target) == "/mnt/away/token.json")
    #expect(try Folder.names(in: folder.path) == ["target"])
    try AtomicFile.write([1], to: target, .replaced)
    #expect(try FileStatus.ofLink(target).isRegular)
  }
}
