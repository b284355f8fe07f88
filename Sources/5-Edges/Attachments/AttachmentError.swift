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
  /// The file has parts that may contain a location and cannot be removed, for the reason given.
  case mayContainLocation(String, MediaType, String)
  /// Metadata cannot be found in files of this type.
  case unsupportedType(String, MediaType)
  /// The file was written to or truncated after it was opened.
  case changed(String)
  /// The file is not the file that the user chose when writing the post.
  case replaced(String)

  package var exitCode: ExitCode { if case .system(let error) = self { error.exitCode } else { .badData } }

  package var message: String {
    switch self {
    case .system(let error): error.message
    case .notAFile(let path): "\(path): not a regular file"
    case .unknownType(let path): "\(path): not a picture, video or sound that homeline knows"
    case .malformed(let path, let type, let fault):
      "\(path): could not remove the metadata, because this is not a valid \(type.rawValue) file: \(fault)"
    case .mayContainLocation(let path, let type, let reason):
      "\(path): may contain a location, which homeline cannot remove from this \(type.rawValue) file: \(reason)"
    case .unsupportedType(let path, let type): "\(path): homeline cannot remove metadata from \(type.rawValue)"
    case .changed(let path): "\(path): the file changed while it was being read"
    case .replaced(let path): "\(path): the file has changed since the post was written"
    }
  }

  package var hint: String? {
    switch self {
    // A file that is not a picture was probably chosen by mistake, so no advice says how to send it.
    case .system, .notAFile, .unknownType: nil
    case .malformed, .mayContainLocation, .unsupportedType:
      "--keep-metadata sends the file unchanged"
    case .changed: "Try again when it is complete"
    case .replaced: "Write the post again"
    }
  }
}
