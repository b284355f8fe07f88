import Glibc
import TestSupport
import Testing

@testable import Platform

/// Files in folders that other users may write to. User 1 is another user.
@Suite struct OwnFileTests {
  private let folder = TemporaryFolder()
  private var path: String { "\(folder.path)/file" }

  private func write() throws { try AtomicFile.write([1], to: path, .replaced) }

  private func refusal() -> String? {
    do throws(SystemError) {
      _ = try OwnFile.read(path, limit: 10)
      return nil
    } catch { return error.description }
  }

  @Test("only the user's own regular file with a single name is used: links, FIFOs and folders are refused")
  func kinds() throws {
    #expect(#expect(throws: SystemError.self) { _ = try OwnFile.open(path, O_RDWR) }?.isNoEntry == true)
    try write()
    #expect(try OwnFile.read(path, limit: 10) == [1])
    let other = "\(folder.path)/other"
    try #require(link(path, other) == 0)
    #expect(refusal() == "\(path) has another name too (a hard link). Remove it, or choose another folder")
    unlink(path)
    try #require(symlink(other, path) == 0)
    #expect(refusal()?.contains("is not a regular file") == true)
    unlink(path)
    try #require(mkfifo(path, 0o600) == 0)
    #expect(refusal()?.contains("is not a regular file") == true)
    unlink(path)
    try #require(mkdir(path, 0o700) == 0)
    #expect(refusal()?.contains("is not a regular file") == true)
  }

  @Test(
    "another user's file is refused, naming the user, even if everybody can write to it",
    .enabled(if: geteuid() == 0, "changing an owner needs root"), arguments: [UInt32(0o666), 0o600])
  func foreign(mode: UInt32) throws {
    try write()
    chmod(path, mode)
    chown(path, 1, 1)
    #expect(refusal() == "\(path) belongs to \(UserName.of(1)). Remove it, or choose another folder")
    #expect(UserName.of(1) != "the user 1" && UserName.of(3_999_999_999) == "the user 3999999999")
  }

  @Test("a file that accounts depend on is read only if nobody else can change it")
  func writableFile() throws {
    try write()
    #expect(try TrustedFile.readControlled(path, limit: 10) == [1])
    for mode in [0o666, 0o602, 0o622] as [UInt32] {
      chmod(path, mode)
      let error = #expect(throws: SystemError.self) { try TrustedFile.readControlled(path, limit: 10) }
      #expect(error?.isNotPermitted == true && error?.description.contains("Run: chmod 600 '\(path)'") == true)
    }
    chmod(path, 0o644)
    #expect(try TrustedFile.readControlled(path, limit: 10) == [1])
  }

  @Test(
    "a file that accounts depend on is not read from a folder where others can replace it, except in a sticky one")
  func writableFolder() throws {
    let inner = "\(folder.path)/a/b"
    try Folder.create(inner)
    let file = "\(inner)/file"
    try AtomicFile.write([1], to: file, .replaced)
    let link = "\(folder.path)/link"
    try #require(symlink(file, link) == 0)
    for (changed, mode, isRead) in [
      (inner, 0o777, false), (inner, 0o1777, true), ("\(folder.path)/a", 0o777, false),
      ("\(folder.path)/a", 0o755, true),
    ] as [(String, UInt32, Bool)] {
      chmod(changed, mode)
      for name in [file, link] {
        if isRead {
          #expect(try TrustedFile.readControlled(name, limit: 10) == [1])
        } else {
          let error = #expect(throws: SystemError.self) { try TrustedFile.readControlled(name, limit: 10) }
          #expect(error?.description.contains("Run: chmod go-w '\(changed)'") == true, "\(String(describing: error))")
        }
      }
      chmod(changed, 0o700)
    }
  }

  @Test(
    "a file that accounts depend on is not read if another user owns it, its folder or a link to it",
    .enabled(if: geteuid() == 0, "changing an owner needs root"))
  func foreignFile() throws {
    try write()
    let link = "\(folder.path)/link"
    try #require(symlink(path, link) == 0)
    func refusal(_ name: String) -> SystemError? {
      #expect(throws: SystemError.self) { try TrustedFile.readControlled(name, limit: 10) }
    }
    chown(path, 1, 1)
    #expect(refusal(path)?.description == "\(path): the file belongs to \(UserName.of(1))")
    chown(path, 0, 0)
    lchown(link, 1, 1)
    #expect(refusal(link)?.description == "\(link): belongs to \(UserName.of(1))")
    chown(folder.path, 1, 1)
    #expect(refusal(path)?.description == "\(folder.path): belongs to \(UserName.of(1))")
    chown(folder.path, 0, 0)
    #expect(try TrustedFile.readControlled(path, limit: 10) == [1])
  }
}
