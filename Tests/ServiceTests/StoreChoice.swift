import Files
import Platform
import Storage
import StorageSQLite
import StorageTestSupport

/// What the accounts of a test are stored in. Tests that look at files, or spoil them, take the files.
enum StoreChoice {
  case files, memory

  /// As the environment says it, so that all tests can be tried on either.
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
