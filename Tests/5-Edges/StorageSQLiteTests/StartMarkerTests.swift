import Folders
import Glibc
import Platform
import Storage
import TestSupport
import Testing
import Time

@testable import StorageFiles
@testable import StorageSQLite

@Suite struct StartMarkerTests {
  private let folder = TemporaryFolder()
  private var home: StorageHome { StorageHome(folder) }

  private func start(_ seconds: Int64, unfinished: Int = 1) -> RequestStart {
    RequestStart(
      at: BootInstant(nanoseconds: seconds * 1_000_000_000), wall: noon + .seconds(seconds), unfinished: unfinished)
  }

  @Test("a start marker is read back, and the next start replaces it within the same 64 private bytes")
  func kept() throws {
    try Folder.create(home.files.dataFolder)
    let marker = StartMarker(home.files)
    #expect(marker.read() == nil)
    try marker.write(start(1_000_000, unfinished: 12))
    let file = try FileStatus.of(home.files.startMarker)
    #expect(marker.read() == start(1_000_000, unfinished: 12))
    #expect(file.permissions == 0o600)
    try marker.write(start(2))
    #expect(marker.read() == start(2))
    let later = try FileStatus.of(home.files.startMarker)
    #expect(file.size == StartMarker.size && later.size == file.size && later.identity == file.identity)
  }

  @Test("a start marker with a planned next request is read back")
  func planned() throws {
    try Folder.create(home.files.dataFolder)
    let marker = StartMarker(home.files)
    let known = start(3, unfinished: 0)
    let next = RequestStart(
      at: known.at, wall: known.wall, unfinished: 0, next: BootInstant(nanoseconds: 93_000_000_000))
    try marker.write(next)
    #expect(marker.read() == next)
    try marker.write(known)
    #expect(marker.read() == known)
  }

  @Test("a start marker from before the last boot is ignored")
  func otherStart() throws {
    try Folder.create(home.files.dataFolder)
    try StartMarker(home.files, machineStart: "before").write(start(1))
    #expect(StartMarker(home.files, machineStart: "now").read() == nil)
  }

  @Test(
    "a start marker with any other content is ignored",
    arguments: ["", "now", "now 1 2", "now x 2 3", "now 1 2 -3", "now -1 2 3", "now 9223372036854775807 2 3"])
  func noMarker(text: String) throws {
    try Folder.create(home.files.dataFolder)
    try AtomicFile.write(Array(text.utf8), to: home.files.startMarker, .replaced)
    #expect(StartMarker(home.files, machineStart: "now").read() == nil)
  }

  @Test("a start marker is read and written only if it is a regular file owned by the user")
  func planted() throws {
    try Folder.create(home.files.dataFolder)
    try #require(mkfifo(home.files.startMarker, 0o600) == 0)
    let marker = StartMarker(home.files)
    #expect(marker.read() == nil)
    #expect(throws: StorageError.self) { try marker.write(start(1)) }
    try File.remove(home.files.startMarker)
    try #require(symlink("\(folder.path)/elsewhere", home.files.startMarker) == 0)
    #expect(throws: StorageError.self) { try marker.write(start(1)) }
    #expect(!File.exists("\(folder.path)/elsewhere"))
  }
}
