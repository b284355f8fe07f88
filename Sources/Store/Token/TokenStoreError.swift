package import Platform

/// Why a token could not be read or kept.
package enum TokenStoreError: Error, CustomStringConvertible {
  /// Others can read the file: its secret may be known to them.
  case readableByOthers(String, permissions: UInt32)
  /// Written by a newer version of this program, and left as it is.
  case newerSchema(String, Int64)
  /// Of a kind that this version does not know, and left as it is.
  case unknownKind(String, String)
  /// No token; `setAside` is where the file is now, `nil` when it was only looked at.
  case corrupt(String, reason: String, setAside: String?)
  case system(SystemError)

  package var description: String {
    switch self {
    case .readableByOthers(let path, let permissions):
      PrivateFileError.readableByOthers(path, permissions).description
    case .newerSchema(let path, let schema):
      "\(path): written by a newer homeline (schema \(schema), this one knows \(StoredToken.schema)). Update homeline"
    case .unknownKind(let path, let kind): "\(path): a token of kind '\(kind)', which this homeline does not know"
    case .corrupt(let path, let reason, let setAside?):
      "\(path): no valid token: \(reason). It was kept as \(setAside); log in again"
    case .corrupt(let path, let reason, nil): "\(path): no valid token: \(reason)"
    case .system(let error): error.description
    }
  }
}
