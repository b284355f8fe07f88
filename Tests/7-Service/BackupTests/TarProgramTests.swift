import Glibc
import Platform
import TestSupport
import Testing

@testable import Backup

/// Packing and unpacking with tar(1) and gzip(1).
@Suite struct TarProgramTests {
  private let folder = TemporaryFolder()
  private let tar = TarProgram(environment: ["PATH": "/usr/bin:/bin"])
  private var archive: String { "\(folder.path)/archive" }
  private var unpacked: String { "\(folder.path)/unpacked" }

  /// Packs a folder with one file of zeros.
  private func pack(_ count: Int) throws {
    try Folder.create("\(folder.path)/content")
    try AtomicFile.write([UInt8](repeating: 0, count: count), to: "\(folder.path)/content/zeros", .replaced)
    let file = try Descriptor.open(archive, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
    try tar.create(file, of: "content", in: folder.path)
    try Folder.create(unpacked)
  }

  @Test("an archive is written into an open file, and unpacked from one")
  func roundTrip() throws {
    try pack(100_000)
    try tar.extract(try Descriptor.open(archive, O_RDONLY), limit: 1 << 20, into: unpacked)
    #expect(try FileStatus.of("\(unpacked)/content/zeros").size == 100_000)
    #expect(try FileStatus.of(archive).permissions == 0o600)
  }

  @Test("unpacking stops as soon as the content is larger than the limit")
  func limit() throws {
    try pack(20 << 20)
    #expect(try FileStatus.of(archive).size < 1 << 20)
    let error = #expect(throws: BackupError.self) {
      try tar.extract(try Descriptor.open(archive, O_RDONLY), limit: 1 << 20, into: unpacked)
    }
    #expect(error?.exitCode == .badData && error?.message.hasPrefix("it unpacks to more than 1 MiB") == true)
    #expect((try? FileStatus.of("\(unpacked)/content/zeros").size) ?? 0 < 2 << 20)
  }

  @Test("a backup may unpack to 1 GiB, or if it is large, to a multiple of its size, without overflow")
  func limits() {
    #expect(TarProgram.limit(ofSize: 0) == 1 << 30 && TarProgram.limit(ofSize: 1000) == 1 << 30)
    #expect(TarProgram.limit(ofSize: 1 << 30) == 200 << 30)
    #expect(TarProgram.limit(ofSize: .max) == .max)
  }
}
