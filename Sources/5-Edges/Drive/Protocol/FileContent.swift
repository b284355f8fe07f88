/// The SHA-1 and the size that identify the content of a file.
package struct FileContent: Sendable, Hashable {
  /// The SHA-1 as 40 lower-case hexadecimal digits.
  package let sha1: String
  /// The size in bytes.
  package let size: Int

  package init(sha1: String, size: Int) {
    self.sha1 = sha1
    self.size = size
  }
}
