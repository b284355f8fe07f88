/// The records of unfinished uploads to a drive, in an account's state folder.
package enum UploadRecordFile {
  private static let prefix = "upload-"
  private static let suffix = ".json"

  /// Returns whether a file with this name is the record of an upload.
  package static func isName(_ name: String) -> Bool {
    guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return false }
    let hash = name.dropFirst(prefix.count).dropLast(suffix.count)
    return !hash.isEmpty && hash.allSatisfy(\.isHexDigit)
  }
}
