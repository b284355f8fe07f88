internal import Glibc
internal import HTTP
internal import HTTPServer
internal import Platform

/// A file on the disk as a response: its bytes as they are, sent as the browser reads.
struct FileResponse: Sendable {
  let body: FileBody
  let tag: EntityTag
  let type: FieldValue
  let keeping: WebHeaders.Keeping

  /// Opens a file. If it is replaced meanwhile, the bytes of the opened one are sent.
  /// - Throws: status 404 if there is no such file; 503 if it cannot be read.
  init(_ path: String, _ type: FieldValue, _ keeping: WebHeaders.Keeping) throws(WebError) {
    do throws(SystemError) {
      let descriptor = try TrustedFile.open(path, O_RDONLY)
      let facts = try FileStatus.of(descriptor, path: path)
      guard let tag = facts.entityTag else { throw SystemError(call: "stat", code: EINVAL, subject: path) }
      self.tag = tag
      body = FileBody(owning: descriptor, length: facts.size)
    } catch {
      if error.isNoEntry { throw .notFound }
      throw WebError(.serviceUnavailable, "The file cannot be read", "\(error)")
    }
    self.type = type
    self.keeping = keeping
  }
}

extension FileStatus {
  /// The tag of the file's bytes. Published files are replaced as a whole, so each content has its own inode, size and time.
  fileprivate var entityTag: EntityTag? { EntityTag("\(identity.text)-\(size)-\(modified)") }
}
