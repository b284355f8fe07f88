import Attachments
import Glibc
import Platform
import Posting
import TestSupport
import Testing

@Suite struct AttachmentFileTests {
  private let folder = TemporaryFolder()

  @Test("Any part of a file's content can be read, in any order")
  func parts() throws {
    let attachment = try PostAttachment(folder.file(Samples.jpeg))
    let content = try attachment.wholeContent()
    var generator = SeededGenerator(seed: 16)
    for _ in 0..<500 {
      let start = Int.random(in: 0...content.count + 3, using: &generator)
      let count = Int.random(in: 0...content.count, using: &generator)
      #expect(try attachment.bytes(at: start, count: count) == Array(content.dropFirst(start).prefix(count)))
    }
  }

  @Test("A file that is longer than the read buffer is read completely")
  func long() throws {
    let scan = Samples.scan + [UInt8](repeating: 0x55, count: 300_000)
    let file =
      [0xFF, 0xD8] + Samples.jfif + Samples.segment(0xFE, Samples.secret) + Samples.tables + scan + [0xFF, 0xD9]
      + Samples.secret
    let content = try PostAttachment(folder.file(file)).wholeContent()
    #expect(content == [0xFF, 0xD8] + Samples.jfif + Samples.tables + scan + [0xFF, 0xD9])
  }

  @Test(
    "Reading fails if the file has grown, shrunk or been written to since it was opened",
    arguments: ["grow", "shrink", "write"])
  func changed(how: String) throws {
    let path = try folder.file(Samples.jpeg)
    let attachment = try PostAttachment(path)
    _ = try attachment.wholeContent()
    switch how {
    case "grow": truncate(path, Samples.jpeg.count + 1)
    case "shrink": truncate(path, Samples.jpeg.count - 1)
    default:
      // The file keeps its content and size, but has a later modification time.
      _ = try folder.file(Samples.jpeg)
      var times = [timespec(tv_sec: 2_000_000_000, tv_nsec: 0), timespec(tv_sec: 2_000_000_000, tv_nsec: 0)]
      utimensat(AT_FDCWD, path, &times, 0)
    }
    #expect(throws: AttachmentError.changed(path)) { try attachment.wholeContent() }
  }

  @Test("A file is read to its end even if a different file is renamed over it")
  func replaced() throws {
    let path = try folder.file(Samples.jpeg)
    let attachment = try PostAttachment(path)
    rename(try folder.file([1, 2, 3], "other"), path)
    #expect(try attachment.wholeContent() == Samples.strippedJPEG)
  }

  @Test("A post's file is not sent if it has changed since, even if its modification time was set back")
  func setBack() throws {
    let path = try folder.file(Samples.jpeg)
    let media = PostMedia(try PostAttachment(path), description: nil, keepsMetadata: false)
    #expect(try PostAttachment(media).wholeContent() == Samples.strippedJPEG)
    let attachment = try PostAttachment(path)
    try change(path)
    #expect(throws: AttachmentError.replaced(path)) { try PostAttachment(media) }
    #expect(throws: AttachmentError.changed(path)) { try attachment.wholeContent() }
  }

  @Test("A file can be renamed before it is sent, even if it comes from a backup or an earlier version")
  func renamed() throws {
    let path = try folder.file(Samples.jpeg)
    let media = PostMedia(
      beforeRename: try PostAttachment(path), path: path + "-new", description: nil, keepsMetadata: false)
    #expect(media.fingerprint.filter { $0 == ":" }.count == 3)
    rename(path, path + "-new")
    #expect(try PostAttachment(media).wholeContent() == Samples.strippedJPEG)
  }

  /// Writes to a file and restores its modification time.
  private func change(_ path: String) throws {
    var status = stat()
    #expect(stat(path, &status) == 0)
    // The clock of file times can be as coarse as a clock tick.
    var now = stat()
    repeat {
      _ = try folder.file(Samples.jpeg)
      var times = [status.st_atim, status.st_mtim]
      utimensat(AT_FDCWD, path, &times, 0)
      stat(path, &now)
    } while now.st_ctim.tv_sec == status.st_ctim.tv_sec && now.st_ctim.tv_nsec == status.st_ctim.tv_nsec
    #expect(now.st_mtim.tv_nsec == status.st_mtim.tv_nsec && now.st_size == status.st_size)
  }

  @Test("A file stays open until its last reader is released")
  func closed() throws {
    let path = try folder.file(Samples.jpeg)
    var first: PostAttachment? = try PostAttachment(path)
    var second = first
    #expect(openFiles().contains(path))
    first = nil
    #expect(try second?.wholeContent() == Samples.strippedJPEG)
    second = nil
    #expect(first == nil && !openFiles().contains(path))
  }

  @Test("Folders, pipes and missing files are refused without waiting")
  func special() throws {
    #expect(throws: AttachmentError.notAFile(folder.path)) { try PostAttachment(folder.path) }
    let pipe = folder.path + "/pipe"
    mkfifo(pipe, 0o600)
    #expect(throws: AttachmentError.notAFile(pipe)) { try PostAttachment(pipe) }
    let error = #expect(throws: AttachmentError.self) { try PostAttachment(folder.path + "/none") }
    #expect("\(error!)" == "\(folder.path)/none: No such file or directory")
  }

  /// Returns the paths of this process's open files (`proc(5)`).
  private func openFiles() -> Set<String> {
    var paths: Set<String> = []
    // Concurrent tests may have opened thousands of files.
    for number in (try? Folder.names(in: "/proc/self/fd")) ?? [] {
      var target = [UInt8](repeating: 0, count: 4096)
      let count = target.withUnsafeMutableBytes {
        readlink("/proc/self/fd/\(number)", $0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count)
      }
      if count > 0 { paths.insert(String(decoding: target.prefix(count), as: UTF8.self)) }
    }
    return paths
  }
}
