internal import Formats
internal import Glibc
internal import JSON
package import Platform
package import Storage

/// An error that prevents an import.
package enum ImportError: UserFacingError, Hashable {
  case system(SystemError)
  case storage(StorageError)
  /// An invalid line: the file, the line number from 1, and the reason.
  case line(String, Int, String)
  /// An invalid row of another program's database: the file, the row, and the reason.
  case row(String, Int64, String)
  /// A database without the required tables.
  case otherDatabase(String)
  /// A corrupt or malicious database: the file and the reason.
  case unfitDatabase(String, String)
  /// A database on standard input, which SQLite cannot read.
  case databaseOnStandardInput

  package var exitCode: ExitCode {
    switch self {
    case .system, .storage: .inputOutput
    case .line, .row, .otherDatabase, .unfitDatabase: .badData
    case .databaseOnStandardInput: .usage
    }
  }

  package var message: String {
    switch self {
    case .system(let error): "\(error)"
    case .storage(let error): "\(error). Nothing was imported"
    case .line(let file, let number, let reason): "\(file), line \(number): \(reason). Nothing was imported"
    case .row(let file, let id, let reason): "\(file), tweet \(id): \(reason). Nothing was imported"
    case .otherDatabase(let file):
      "\(file): the database does not have the tables 'tweets' and 'users' of twitter-to-sqlite. Nothing was imported"
    case .unfitDatabase(let file, let reason): "\(file): \(reason). Nothing was imported"
    case .databaseOnStandardInput:
      "standard input is a database: pass its file name instead. Nothing was imported"
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
