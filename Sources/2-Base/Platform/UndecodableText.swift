/// The error for an argument, a variable's value, or other input that is not UTF-8.
package struct UndecodableText: Error, CustomStringConvertible {
  /// What is not UTF-8, such as `argument 2`.
  let subject: String
  let bytes: [UInt8]

  package init(subject: String, bytes: [UInt8]) {
    self.subject = subject
    self.bytes = bytes
  }

  package var description: String {
    "\(subject) is not UTF-8: \(shown). Your terminal or the file's name may use another encoding: see locale charmap"
  }

  /// The beginning of the value.
  private var shown: String { VisibleBytes.text(bytes.prefix(80)) + (bytes.count > 80 ? "…" : "") }
}
