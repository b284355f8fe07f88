internal import Attachments
internal import Glibc

/// The function that libFuzzer calls with each input. The input is a file that is attached to a post.
///
/// The function checks that nothing crashes, that the content has the announced size, that a second removal of metadata changes nothing,
/// and that nothing that is overwritten in a film has any influence on what is sent.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzMediaFile(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let file = unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
  guard let content = strippedContent(file) else { return 0 }
  guard strippedContent(content) == content else { fatalError("a second removal of metadata changes the content") }
  if keepsOffsets(file) {
    guard content.count <= file.count else { fatalError("the content is longer than the file") }
    let other = zip(file, content).map { $0 != 0 && $1 == 0 ? $0 ^ 0x55 : $0 }
    if let second = strippedContent(other), second != content {
      fatalError("the content depends on bytes that are not sent")
    }
  }
  return 0
}

/// Returns whether the parts that are not sent are overwritten, as in films, and not removed.
private func keepsOffsets(_ file: [UInt8]) -> Bool {
  let removed: [[UInt8]] = [[0xFF, 0xD8], [0x89, 0x50], Array("GIF8".utf8), Array("RIFF".utf8)]
  return !removed.contains { file.starts(with: $0) }
}

private let path = "/dev/shm/homeline-fuzz-\(getpid())"

/// Returns the bytes that would be sent; nil for a file that is refused.
private func strippedContent(_ file: [UInt8]) -> [UInt8]? {
  let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
  guard descriptor >= 0, unsafe write(descriptor, file, file.count) == file.count else {
    fatalError("could not write \(path)")
  }
  close(descriptor)
  defer { unsafe unlink(path) }
  guard let attachment = try? PostAttachment(path) else { return nil }
  var content = [UInt8](repeating: 0, count: attachment.size)
  let read = try? unsafe content.withUnsafeMutableBytes { try unsafe attachment.read(at: 0, into: $0) }
  guard read == content.count else { fatalError("the content of an accepted file could not be read") }
  return content
}
