import Folders
import Platform
import Storage
import StorageSQLite
import StorageTestSupport

/// Where a test stores its accounts. Tests that inspect or damage files need files.
enum StoreChoice {
  case files, memory

  /// The choice given by an environment variable, so that all tests can be run with either storage.
  static var standard: StoreChoice {
    ProcessEnvironment.variables()["HOMELINE_TEST_STORE"] == "memory" ? .memory : .files
  }

  func provider(_ layout: FileLayout) -> any StorageProvider {
    switch self {
    case .files: FileStorage(layout)
    case .memory: MemoryStorage()
    }
  }
}
