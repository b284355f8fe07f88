internal import Glibc
internal import JSON
package import Platform
internal import Publish
package import Storage

/// Why posts cannot be taken from a file.
package enum ImportError: Error, Hashable, CustomStringConvertible {
  case system(SystemError)
  case storage(StorageError)
  /// A line that is no post: its file, its number from 1, and what is wrong with it.
  case line(String, Int, String)
  /// A row of another program's database that is no post: the file, which row, and what is wrong with it.
  case row(String, Int64, String)
  /// A database without the tables that are known.
  case otherDatabase(String)
  /// A database that is damaged, or made to do harm: the file, what it has, and what is expected.
  case unfitDatabase(String, String)
  /// A database on standard input, which SQLite cannot read.
  case databaseOnStandardInput

  package var description: String {
    switch self {
    case .system(let error): "\(error)"
    case .storage(let error): "\(error). Nothing was imported"
    case .line(let file, let number, let reason): "\(file), line \(number): \(reason). Nothing was imported"
    case .row(let file, let id, let reason): "\(file), tweet \(id): \(reason). Nothing was imported"
    case .otherDatabase(let file):
      "\(file): a database without the tables tweets and users, as twitter-to-sqlite has them. Nothing was imported"
    case .unfitDatabase(let file, let reason): "\(file): \(reason). Nothing was imported"
    case .databaseOnStandardInput: "standard input is a database: give its file's name instead. Nothing was imported"
    }
  }
}

extension StorageError {
  init(_ error: ImportError) {
    let kind: Kind =
      switch error {
      case .storage(let error): error.kind
      case .system: .inputOutput
      case .line, .row, .otherDatabase, .unfitDatabase, .databaseOnStandardInput: .damaged
      }
    self.init(kind, "\(error)")
  }
}
