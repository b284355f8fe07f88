import Glibc
import TestSupport
import Testing

@testable import Platform

@Suite struct AtomicFileTests {
  private let folder = TemporaryFolder()
  private var path: String { "\(folder.path)/file" }

  @Test("an atomically written file is private from the moment it is created, regardless of the umask")
  func permissions() throws {
    try AtomicFile.write([1, 2, 3], to: path, .synced)
    #expect(try FileStatus.of(path).permissions == 0o600)
    #expect(try File.read(path, limit: 10) == [1, 2, 3])
  }

  @Test("replacing a file leaves one file with the new content")
  func replace() throws {
    try AtomicFile.write([1], to: path, .synced)
    try AtomicFile.write([2], to: path, .replaced)
    #expect(try File.read(path, limit: 10) == [2])
    #expect(try Folder.names(in: folder.path) == ["file"])
  }

  @Test("a failed replacement leaves the old file intact and no temporary file behind")
  func failure() async {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      let path = "\(folder.path)/file"
      try AtomicFile.write([1], to: path, .synced)
      // Writing a file that is larger than allowed fails in the middle, as on a full disk.
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 4096, rlim_max: 4096)
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      let error = #expect(throws: SystemError.self) {
        try AtomicFile.write([UInt8](repeating: 2, count: 10000), to: path, .synced)
      }
      #expect(error?.call == "write")
      #expect(try File.read(path, limit: 10) == [1])
      #expect(try Folder.names(in: folder.path) == ["file"])
    }
  }

  @Test("the error for a missing folder contains its path")
  func noFolder() {
    let error = #expect(throws: SystemError.self) { try AtomicFile.write([1], to: "\(folder.path)/no/file", .synced) }
    #expect(error?.isNoEntry == true)
    #expect(error?.description.contains("\(folder.path)/no/file") == true)
  }

  @Test("a temporary file left by a crash is replaced")
  func leftover() throws {
    let leftover = "\(path).new-\(ProcessEnvironment.processID)"
    try AtomicFile.write([9], to: leftover, .replaced)
    try AtomicFile.write([1], to: path, .synced)
    #expect(try Folder.names(in: folder.path) == ["file"])
  }

  @Test(
    "only temporary files of exited processes are removed"
  )
  func abandoned() throws {
    // No process has a number above 4,194,304 (proc(5)). Process 1 always runs.
    let gone = ["file.new-999999999", "other.json.new-999999999", "own.new-\(ProcessEnvironment.processID)"]
    let kept = [
      "file", "file.new-", "file.new-1", "file.new-12x", "file.new-99999999999", "new-999999999", ".new-999999999",
    ]
    for name in gone + kept { try AtomicFile.write([1], to: "\(folder.path)/\(name)", .replaced) }
    try #require(mkdir("\(folder.path)/folder.new-999999999", 0o700) == 0)
    try #require(symlink("file", "\(folder.path)/link.new-999999999") == 0)
    try AtomicFile.removeAbandoned(of: "\(folder.path)/file")
    #expect(!File.exists("\(folder.path)/\(gone[0])") && File.exists("\(folder.path)/\(gone[1])"))
    try AtomicFile.removeAbandoned(in: folder.path)
    #expect(
      try Folder.names(in: folder.path) == (kept + ["folder.new-999999999", "link.new-999999999"]).sorted())
    try AtomicFile.removeAbandoned(in: "\(folder.path)/none")
  }
}

@Suite struct FileTests {
  private let folder = TemporaryFolder()

  @Test(
    "a secret file that other users can read is refused with advice", arguments: [UInt32(0o640), 0o604, 0o620, 0o644])
  func readableByOthers(permissions: UInt32) throws {
    let path = "\(folder.path)/secret"
    try AtomicFile.write([1], to: path, .replaced)
    chmod(path, permissions)
    let error = #expect(throws: PrivateFileError.self) { try File.readPrivate(path, limit: 10) }
    #expect(error?.description.contains("chmod 600 '\(path)'") == true)
    chmod(path, 0o600)
    #expect(try File.readPrivate(path, limit: 10) == [1])
  }

  @Test("a file up to the size limit is read, and a larger one is refused")
  func limit() throws {
    let path = "\(folder.path)/file"
    try AtomicFile.write([1, 2, 3], to: path, .replaced)
    #expect(try File.read(path, limit: 3) == [1, 2, 3])
    #expect(#expect(throws: SystemError.self) { try File.read(path, limit: 2) }?.code == EFBIG)
    #expect(#expect(throws: SystemError.self) { try File.read(folder.path, limit: 2) }?.code == EISDIR)
  }

  @Test("missing parent folders are created with mode 0700; if a file is in their place, the error names its path")
  func folders() throws {
    let path = "\(folder.path)/a/b/c"
    try Folder.create(path)
    try Folder.create(path)
    #expect(try FileStatus.of("\(folder.path)/a").permissions == 0o700)
    try AtomicFile.write([], to: "\(path)/file", .replaced)
    #expect(#expect(throws: SystemError.self) { try Folder.create("\(path)/file") }?.code == ENOTDIR)
  }
}
