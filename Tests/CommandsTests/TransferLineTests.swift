@testable import Commands
import HTTP
import Platform
import Testing

@Suite struct TransferLineTests {
  private func snapshot(done: Int, total: Int, files: Int = 1) -> TransferProgress.Snapshot {
    var snapshot = TransferProgress.Snapshot()
    (snapshot.done, snapshot.total, snapshot.files) = (done, total, files)
    return snapshot
  }

  @Test("A transfer's progress line shows bytes, percentage, rate and time left")
  func text() {
    #expect(
      TransferLine.text(
        snapshot(done: 5 << 20, total: 20 << 20), name: "a", bytesPerSecond: Double(1 << 20), columns: 80)
        == "a: 25%, 5.0 MiB of 20.0 MiB, 1.0 MiB/s, 0:15 left")
    #expect(
      TransferLine.text(snapshot(done: 512, total: 0, files: 3), name: "put", bytesPerSecond: 0, columns: 80)
        == "put: 512 B, 0 of 3 files")
    #expect(
      TransferLine.text(
        snapshot(done: 0, total: 10 << 30), name: "a", bytesPerSecond: Double(1 << 20), columns: 80
      ).hasSuffix("2:50:40 left"))
    #expect(TransferLine.text(snapshot(done: 1, total: 2), name: "abcdef", bytesPerSecond: 0, columns: 5).count == 4)
  }

  @Test("Byte counts are shown in binary units")
  func units() {
    #expect(ByteCount.text(1023) == "1023 B")
    #expect(ByteCount.text(1536) == "1.5 KiB")
    #expect(ByteCount.text(2 << 30) == "2.0 GiB")
  }
}
