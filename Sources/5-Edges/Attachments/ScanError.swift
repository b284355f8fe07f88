/// The reason a file could not be examined.
enum ScanError: Error {
  /// The content violates the format; the text describes how.
  case malformed(String)
  /// The file has parts that homeline does not know and cannot remove; the text describes them.
  case unremovable(String)
  case file(AttachmentError)
}
