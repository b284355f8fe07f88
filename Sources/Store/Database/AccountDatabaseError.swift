package import Platform

/// Why an account's database could not be opened.
package enum AccountDatabaseError: Error, CustomStringConvertible {
  /// Written by a newer version of this program, and left as it is.
  case newerSchema(String, Int64)
  case sqlite(SQLiteError)
  case system(SystemError)

  package var description: String {
    switch self {
    case .newerSchema(let path, let version):
      "\(path): written by a newer homeline (schema \(version), this one knows \(DatabaseSchema.version)). Update homeline"
    case .sqlite(let error): error.description
    case .system(let error): error.description
    }
  }
}
