import Folders
import Platform
import TestSupport
import Time

/// A home folder whose base directories are all in one folder, with the `bird` account.
struct StorageHome {
  /// The temporary folder, which exists as long as this value; `nil` if the test keeps the folder itself.
  private let folder: TemporaryFolder?
  let layout: FileLayout
  let files: AccountFiles

  init(_ root: String) { self.init(root, folder: nil) }
  init(_ folder: TemporaryFolder) { self.init(folder.path, folder: folder) }

  private init(_ root: String, folder: TemporaryFolder?) {
    self.folder = folder
    layout = FileLayout(
      BaseDirectories(environment: [
        "HOME": root, "XDG_CONFIG_HOME": "\(root)/config", "XDG_CACHE_HOME": "\(root)/cache",
        "XDG_DATA_HOME": "\(root)/data", "XDG_STATE_HOME": "\(root)/state", "XDG_RUNTIME_DIR": "\(root)/run",
      ])!)
    files = layout.files(of: "bird")
  }
}

/// The current time in these tests, 2026-11-20T12:00:00Z.
let noon = Timestamp(rfc3339: "2026-11-20T12:00:00Z")!

func permissions(_ path: String) throws -> UInt32 { try FileStatus.of(path).permissions }
