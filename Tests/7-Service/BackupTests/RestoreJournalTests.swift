import Folders
import Glibc
import Platform
import TestSupport
import Testing

@testable import Backup

/// Restoring a backup either completes or leaves nothing behind.
@Suite struct RestoreJournalTests {
  private let folder = TemporaryFolder()
  private let layout: FileLayout

  init() throws {
    layout = FileLayout(try #require(BaseDirectories(environment: ["HOME": folder.path])))
    try Folder.create(layout.dataFolder)
  }

  private var steps: [RestoreJournal.Step] {
    [
      RestoreJournal.Step(.file("\(folder.path)/source"), to: layout.files(of: "bird").database),
      RestoreJournal.Step(.text("token"), to: layout.files(of: "bird").token),
      RestoreJournal.Step(.text("configuration"), to: layout.configFile),
    ]
  }

  private func writeSource() throws {
    try AtomicFile.write(Array("database".utf8), to: "\(folder.path)/source", .replaced)
  }

  private var placed: [String] { steps.map(\.path).filter { File.exists($0) } }

  @Test("a restore puts all files in place with mode 0600")
  func complete() throws {
    try writeSource()
    try RestoreJournal(layout).perform(steps)
    #expect(placed == steps.map(\.path))
    for path in placed { #expect(try FileStatus.of(path).permissions == 0o600) }
    #expect(try Folder.names(in: layout.dataFolder) == ["bird"])
  }

  @Test("a failed restore leaves no file behind", arguments: [0, 1, 2])
  func failure(step: Int) throws {
    if step > 0 { try writeSource() }
    // A file is created at the path of a required folder.
    if step > 0 {
      let parent = try #require(Folder.parent(of: steps[step].path))
      try Folder.create(try #require(Folder.parent(of: parent)))
      try AtomicFile.write([], to: parent, .replaced)
    }
    #expect(throws: BackupError.self) { try RestoreJournal(layout).perform(steps) }
    #expect(placed == [])
    #expect(!File.exists("\(layout.dataFolder)/_restoring"))
  }

  @Test("an existing file stops a restore before any file is written")
  func existing() throws {
    try writeSource()
    try Folder.create(try #require(Folder.parent(of: layout.configFile)))
    try AtomicFile.write(Array("mine".utf8), to: layout.configFile, .replaced)
    #expect(throws: BackupError.self) { try RestoreJournal(layout).perform(steps) }
    #expect(placed == [layout.configFile])
    #expect(try File.read(layout.configFile, limit: 100) == Array("mine".utf8))
  }

  @Test("a dangling link stops a restore before any file is written", arguments: [0, 1, 2])
  func danglingLink(step: Int) throws {
    try writeSource()
    let path = steps[step].path
    try Folder.create(try #require(Folder.parent(of: path)))
    try #require(symlink("/mnt/away/file", path) == 0)
    let error = #expect(throws: BackupError.self) { try RestoreJournal(layout).perform(steps) }
    #expect(error?.exitCode == .cannotCreate)
    #expect(error?.message.hasPrefix("\(path) is a link to /mnt/away/file, which does not exist. ") == true)
    #expect(placed == [])
    #expect(try ProcessEnvironment.linkTarget(path) == "/mnt/away/file")
  }

  @Test(
    "an interrupted restore's files are removed, and a complete restore's files are kept",
    arguments: [true, false])
  func interrupted(isComplete: Bool) throws {
    let journal = RestoreJournal(layout)
    for step in steps.dropLast(isComplete ? 0 : 1) {
      try Folder.create(try #require(Folder.parent(of: step.path)))
      try AtomicFile.write([1], to: step.path, .replaced)
    }
    let paths = steps.flatMap { step -> [UInt8] in Array(step.path.utf8) + [0] }
    try AtomicFile.write(paths, to: "\(layout.dataFolder)/_restoring", .replaced)
    try journal.undoInterrupted()
    #expect(placed == (isComplete ? steps.map(\.path) : []))
    #expect(!File.exists("\(layout.dataFolder)/_restoring"))
  }
}
