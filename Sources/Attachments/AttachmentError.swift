package import Platform

/// The reason a file cannot be attached to a post.
package enum AttachmentError: UserFacingError, Hashable {
  case system(SystemError)
  /// The path leads to a folder, a device or a pipe.
  case notAFile(String)
  /// The file's content is not of a known type.
  case unknownType(String)
  /// The file violates its format, so its metadata cannot be removed.
  case malformed(String, MediaType, String)
  /// The file contains a location, which cannot be removed from files of this type.
  case containsLocation(String, MediaType)
  /// Metadata cannot be found in files of this type.
  case unsupportedType(String, MediaType)
  /// The file was written to or truncated after it was opened.
  case changed(String)
  /// The file is not the one that the user chose when the post was written.
  case replaced(String)

  package var exitCode: ExitCode { if case .system(let error) = self { error.exitCode } else { .badData } }

  package var message: String {
    switch self {
    case .system(let error): error.message
    case .notAFile(let path): "\(path): not a regular file"
    case .unknownType(let path): "\(path): not a picture, video or sound of a known type"
    case .malformed(let path, let type, let fault):
      "\(path): could not remove the metadata, because this is not a valid \(type.rawValue) file: \(fault)"
    case .containsLocation(let path, let type):
      "\(path): contains a location, which homeline cannot remove from \(type.rawValue)"
    case .unsupportedType(let path, let type): "\(path): homeline cannot remove metadata from \(type.rawValue)"
    case .changed(let path): "\(path): the file changed while it was being read"
    case .replaced(let path): "\(path): the file has changed since the post was written"
    }
  }

  package var hint: String? {
    switch self {
    case .system, .notAFile: nil
    case .unknownType, .malformed, .containsLocation, .unsupportedType:
      "--keep-metadata sends the file unchanged"
    case .changed: "Try again when it is complete"
    case .replaced: "Write the post again"
    }
  }
}

/// The reason a file could not be examined.
enum ScanError: Error {
  /// The content violates the format; the text describes how.
  case malformed(String)
  case containsLocation
  case file(AttachmentError)
}
