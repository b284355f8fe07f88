import Folders
import Platform
import TestSupport
import Testing

@Suite struct CleanShutdownMarkerTests {
  private let folder = TemporaryFolder()
  private var home: StorageHome { StorageHome(folder) }

  @Test("a clean shutdown is reported only once")
  func once() throws {
    try Folder.create(home.files.dataFolder)
    let mark = CleanShutdownMarker(home.files)
    #expect(!mark.remove())
    mark.write()
    #expect(mark.remove())
    #expect(!mark.remove())
  }

  @Test("a clean shutdown before the last boot is ignored")
  func otherStart() throws {
    try Folder.create(home.files.dataFolder)
    CleanShutdownMarker(home.files, machineStart: "before").write()
    #expect(!CleanShutdownMarker(home.files, machineStart: "now").remove())
    #expect(!CleanShutdownMarker.machineStart.isEmpty)
  }

  @Test("an incomplete shutdown marker is removed along with other incomplete files")
  func halfWritten() throws {
    let files = home.files
    try Folder.create(files.dataFolder)
    CleanShutdownMarker(files).write()
    try AtomicFile.write([], to: "\(files.cleanShutdownMarker).new-1", .replaced)
    try files.removePublishedLeftovers(keeping: [files.home])
    #expect(try Folder.names(in: files.dataFolder) == ["published"])
  }
}
