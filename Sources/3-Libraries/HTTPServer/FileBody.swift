package import Platform

/// Part of an open file as the body of a response. It is sent in pieces as the client reads, and closed when the response has ended.
package final class FileBody: Sendable {
  let descriptor: Descriptor
  let offset: Int
  package let length: Int

  /// - Parameters:
  ///   - descriptor: a file open for reading. Its position is not used.
  ///   - offset: where the part begins, in bytes.
  ///   - length: the length in bytes. If the file turns out to be shorter, the connection is closed, so that the client does not mistake
  ///     the beginning for the whole.
  package init(owning descriptor: consuming Descriptor, offset: Int = 0, length: Int) {
    precondition(offset >= 0 && length >= 0, "a part of a file has no negative size")
    self.descriptor = consume descriptor
    self.offset = offset
    self.length = length
  }

  /// What is left to send.
  struct Rest {
    let body: FileBody
    /// The number of bytes that have been sent.
    private(set) var sent = 0

    var isEmpty: Bool { sent == body.length }
    var offset: Int { body.offset + sent }
    var count: Int { body.length - sent }

    init(of body: FileBody) { self.body = body }

    mutating func advance(by count: Int) { sent += count }
  }
}
