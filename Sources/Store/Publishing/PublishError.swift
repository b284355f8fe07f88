package import Platform

/// Why the published file could not be replaced. The old one stands as it was.
package enum PublishError: Error, CustomStringConvertible {
  /// The database could not be read.
  case database(SQLiteError)
  /// The cache folder or the file could not be written.
  case file(SystemError)

  /// Whether the disk is full.
  package var isNoSpace: Bool {
    switch self {
    case .database(let error): error.isNoSpace
    case .file(let error): error.isNoSpace
    }
  }

  package var description: String {
    switch self {
    case .database(let error): error.description
    case .file(let error): error.description
    }
  }
}
