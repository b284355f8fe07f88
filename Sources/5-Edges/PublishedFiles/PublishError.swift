package import Platform
package import Storage

/// A published file could not be replaced. The previous file is unchanged.
package enum PublishError: Error, CustomStringConvertible {
  /// The database could not be read.
  case database(StorageError)
  /// The cache folder or the file could not be written.
  case file(SystemError)

  package var description: String {
    switch self {
    case .database(let error): error.description
    case .file(let error): error.description
    }
  }
}
