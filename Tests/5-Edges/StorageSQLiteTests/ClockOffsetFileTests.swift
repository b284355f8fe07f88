import Folders
import HomelineOAuth
import Platform
import TestSupport
import Testing
import Time

@Suite("The stored difference between the clocks") struct ClockOffsetFileTests {
  private let folder = TemporaryFolder()
  private var home: StorageHome { StorageHome(folder) }

  /// - Parameters:
  ///   - wall: the wall clock's time in seconds after noon.
  ///   - boot: the time in seconds since the machine's start.
  private func file(wall: Int64 = 0, boot: Int64 = 500, machineStart: String = "a") -> ClockOffsetFile {
    ClockOffsetFile(
      home.files, machineStart: machineStart, wall: WallClock { noon + .seconds(wall) },
      boot: { BootInstant(nanoseconds: boot * 1_000_000_000) })
  }

  private func offset(_ seconds: Int64) -> ClockOffset {
    var offset = ClockOffset()
    offset.learn(server: 1_000_000 + seconds, local: 1_000_000)
    return offset
  }

  @Test("a large difference is stored in a private file, and a small one removes the file")
  func stored() throws {
    #expect(!file().store(offset(600)), "the account has no folder yet")
    try Folder.create(home.files.dataFolder)
    #expect(file().seconds == 0)
    #expect(file().store(offset(-600)) && file(wall: 90, boot: 590).seconds == -600)
    #expect(try FileStatus.of(home.files.clockOffset).permissions == 0o600)
    #expect(file().store(offset(20)) && file().seconds == 0 && !File.exists(home.files.clockOffset))
    #expect(file().store(offset(0)))
  }

  @Test("a clock that has been set since the measurement changes the difference")
  func clockSet() throws {
    try Folder.create(home.files.dataFolder)
    #expect(file().store(offset(600)))
    #expect(file(wall: 700, boot: 600).seconds == 0, "the clock has been corrected")
    #expect(file(wall: -100, boot: 600).seconds == 800, "the clock has been put back by 200 s")
    #expect(file(wall: 700, boot: 30, machineStart: "b").seconds == 600, "after a restart, nothing shows it")
  }

  @Test(
    "a damaged file has no effect",
    arguments: [
      "", "600", "600 1 1", "x 1 1 a", "9223372036854775807 1 1 a", "-9223372036854775808 1 1 a",
      "600 -9223372036854775808 1 a", "600 9223372036854775807 1 a", "600 1 9223372036854775807 a", "600 1 -1 a",
    ])
  func damaged(text: String) throws {
    try Folder.create(home.files.dataFolder)
    try AtomicFile.write(Array(text.utf8), to: home.files.clockOffset, .replaced)
    #expect(file().seconds == 0)
  }
}
