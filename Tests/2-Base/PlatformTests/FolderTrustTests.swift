import Glibc
import TestSupport
import Testing

@testable import Platform

/// Folders and files that other users created before this program uses them.
@Suite("Files and folders that other users could have planted") struct FolderTrustTests {
  private let folder = TemporaryFolder()
  private var path: String { "\(folder.path)/own" }

  /// Returns the error for using the folder, if there is one.
  private func finding(_ path: String) -> String? {
    do throws(SystemError) { try Folder.create(path) } catch { return error.description }
    return nil
  }

  @Test(
    "a folder that other users can write to is refused with advice", arguments: [mode_t(0o777), 0o707, 0o1777, 0o702])
  func writable(mode: mode_t) throws {
    try Folder.create(path)
    chmod(path, mode)
    #expect(finding(path)?.hasSuffix("then run: chmod 700 '\(path)'") == true)
    chmod(path, 0o755)
    #expect(finding(path) == nil)
  }

  @Test("a parent folder that other users can write to is refused unless it is sticky")
  func above() throws {
    try Folder.create(path)
    chmod(path, 0o777)
    #expect(finding("\(path)/a")?.hasSuffix("Run: chmod go-w '\(path)'") == true)
    chmod(path, 0o1777)
    #expect(finding("\(path)/b") == nil)
  }

  @Test("a group-writable folder is accepted only for the user's private group")
  func group() throws {
    try Folder.create(path)
    chmod(path, 0o770)
    #expect((finding(path) == nil) == (getegid() == geteuid()))
    guard geteuid() == 0 else { return }
    chown(path, 0, 54321)
    #expect(finding(path)?.contains("other users can create files in it (mode 770)") == true)
  }

  @Test("another user's folder or symbolic link is refused", .enabled(if: geteuid() == 0, "needs root"))
  func foreign() throws {
    try Folder.create(path)
    chown(path, 65534, 65534)
    #expect(finding(path)?.contains("belongs to the user 65534") == true)
    let link = "\(folder.path)/link"
    try Folder.create("\(folder.path)/target")
    symlink("\(folder.path)/target", link)
    #expect(finding(link) == nil)
    lchown(link, 65534, 65534)
    #expect(finding(link)?.contains("belongs to the user 65534") == true)
  }

  // MARK: Files

  @Test("opening a FIFO, a socket or a device fails immediately with an error that contains its path")
  func noFiles() throws {
    let name = "\(folder.path)/file"
    mkfifo(name, 0o600)
    let socket = try UnixSocket.listening(at: "\(folder.path)/socket")
    defer { close(socket) }
    symlink("/dev/null", "\(folder.path)/device")
    for name in ["file", "device"] {
      let path = "\(folder.path)/\(name)"
      #expect(
        #expect(throws: SystemError.self) { try TrustedFile.read(path, limit: 10) }?.description.contains(
          "is not a regular file")
          == true)
      #expect(#expect(throws: PrivateFileError.self) { try TrustedFile.readPrivate(path, limit: 10) } != nil)
      #expect(#expect(throws: SystemError.self) { try TrustedFile.check(path) } != nil)
      #expect(FileLock.holder(path) == nil)
    }
    #expect(throws: SystemError.self) { try TrustedFile.read("\(folder.path)/socket", limit: 10) }
    #expect(throws: SystemError.self) { _ = try FileLock.share(name) }
    #expect(throws: SystemError.self) { try FileLock.waitForRelease(name) }
    #expect(throws: SystemError.self) { _ = try FileLock.take(name, text: "me") }
    #expect(#expect(throws: SystemError.self) { try TrustedFile.read(folder.path, limit: 10) }?.code == EISDIR)
  }

  @Test("another user's lock file and secret file are refused", .enabled(if: geteuid() == 0, "needs root"))
  func foreignFiles() throws {
    let name = "\(folder.path)/file"
    try AtomicFile.write(Array("somebody".utf8), to: name, .replaced)
    let held = Glibc.open(name, O_RDWR | O_CLOEXEC)
    defer { close(held) }
    flock(held, LOCK_EX)
    #expect(FileLock.holder(name) == "somebody")
    chown(name, 65534, 65534)
    #expect(FileLock.holder(name) == nil)
    let error = #expect(throws: PrivateFileError.self) { try TrustedFile.readPrivate(name, limit: 10) }
    #expect(
      error?.description == "\(name): belongs to the user 65534, so its content cannot be trusted. Move it away")
    #expect(throws: SystemError.self) { _ = try FileLock.take(name, text: "me") }
    #expect(try File.read(name, limit: 10) == Array("somebody".utf8))
  }

  @Test("symbolic links in place of a file or its temporary file are replaced, not followed")
  func replaced() throws {
    let name = "\(folder.path)/file"
    let outside = "\(folder.path)/outside"
    try AtomicFile.write([1], to: outside, .replaced)
    for plant in [{ symlink(outside, $0) }, { link(outside, $0) }, { mkfifo($0, 0o666) }] as [(String) -> Int32] {
      for target in [name, "\(name).new-\(getpid())"] {
        unlink(target)
        #expect(plant(target) == 0)
        try AtomicFile.write([2], to: name, .synced)
        #expect(try FileStatus.ofLink(name).isRegular)
        #expect(try FileStatus.of(name).permissions == 0o600)
        #expect(try File.read(name, limit: 10) == [2])
        #expect(try File.read(outside, limit: 10) == [1])
      }
    }
    for target in [name, "\(name).new-\(getpid())"] {
      unlink(target)
      mkdir(target, 0o777)
      let error = #expect(throws: SystemError.self) { try AtomicFile.write([3], to: name, .synced) }
      #expect(error?.description.contains(name) == true)
      rmdir(target)
    }
  }
}
