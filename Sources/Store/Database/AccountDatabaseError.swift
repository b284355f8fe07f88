internal import CivilTime
internal import Dispatch
package import Platform

/// Why an account's database could not be opened.
package enum AccountDatabaseError: Error, CustomStringConvertible {
  /// Written by a newer version of this program, and left as it is.
  case newerSchema(String, Int64)
  /// Written by an older version, and only looked at.
  case olderSchema(String)
  case sqlite(SQLiteError)
  case system(SystemError)

  package var description: String {
    switch self {
    case .newerSchema(let path, let version):
      "\(path): written by a newer homeline (schema \(version), this one knows \(DatabaseSchema.version)). Update homeline"
    case .olderSchema(let path):
      "\(path): written by an older homeline. The service brings it up to date when it starts next; or run: homeline refresh"
    case .sqlite(let error): error.description
    case .system(let error): error.description
    }
  }
}
