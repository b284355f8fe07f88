import Files
import Platform
import TestSupport
import Testing

@Suite struct PublishedMarkTests {
  private let folder = TemporaryFolder()
  private var home: StorageHome { StorageHome(folder) }

  @Test("a clean end is known once")
  func once() throws {
    try Folder.create(home.files.dataFolder)
    let mark = PublishedMark(home.files)
    #expect(!mark.take())
    mark.leave()
    #expect(mark.take())
    #expect(!mark.take())
  }

  @Test("a clean end before the machine was started again proves nothing")
  func otherStart() throws {
    try Folder.create(home.files.dataFolder)
    PublishedMark(home.files, machineStart: "before").leave()
    #expect(!PublishedMark(home.files, machineStart: "now").take())
    #expect(!PublishedMark.machineStart.isEmpty)
  }

  @Test("a mark that was left half-written goes with all else that is")
  func halfWritten() throws {
    let files = home.files
    try Folder.create(files.dataFolder)
    PublishedMark(files).leave()
    try AtomicFile.write([], to: "\(files.publishedMark).new-1", .replaced)
    try files.removePublishedLeftovers()
    #expect(try Folder.names(in: files.dataFolder) == ["published"])
  }
}
