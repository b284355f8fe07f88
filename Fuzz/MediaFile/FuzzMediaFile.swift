internal import Attachments
internal import Glibc

/// The function that libFuzzer calls with each input. The input is a file that is attached to a post.
///
/// The function checks that nothing crashes, that the content has the announced size, and that a second removal of
/// metadata changes nothing.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzMediaFile(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let content = strippedContent(unsafe Array(UnsafeBufferPointer(start: bytes, count: count))) else { return 0 }
  guard strippedContent(content) == content else { fatalError("a second removal of metadata changes the content") }
  return 0
}

private let path = "/dev/shm/homeline-fuzz-\(getpid())"

/// Returns the bytes that would be sent; nil for a file that is rejected.
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
