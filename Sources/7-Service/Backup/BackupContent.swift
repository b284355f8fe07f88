internal import Folders
internal import Platform

/// The structure of a backup: a gzip-compressed tar archive that contains one folder.
///
/// | path | content |
/// | --- | --- |
/// | `manifest.json` | the version, the time and the list of all other files with their sizes |
/// | `config.json` | the configuration; only in a backup without tokens |
/// | `config.d/ACCOUNT.json` | an account that a command added; only in a backup without tokens |
/// | `data/homeline/ACCOUNT/timeline.db` | an account's database |
/// | `data/homeline/ACCOUNT/outbox/ID.json` | a post in an account's outbox |
/// | `data/homeline/ACCOUNT/outbox/ID-N` | a file of a post that may still be sent, as it would be sent |
/// | `private` | configuration, tokens and registrations, encrypted; only in a backup with tokens |
enum BackupContent {
  /// The folder in the tar archive.
  static let folder = "homeline-backup"
  static let manifest = "manifest.json"
  static let configuration = "config.json"
  /// The prefix of the accounts' own files.
  static let accounts = "config.d/"
  static let encrypted = "private"

  /// Returns the layout of the databases below a folder. It is the same as in an installation.
  static func layout(below folder: String) -> FileLayout {
    let variables = ["HOME": folder, "XDG_DATA_HOME": "\(folder)/data"]
    guard let folders = BaseDirectories(environment: variables) else {
      preconditionFailure("the path of the staging folder is absolute")
    }
    return FileLayout(folders)
  }
}

/// Runs file operations and converts their errors.
func converting<Value>(_ body: () throws(SystemError) -> Value) throws(BackupError) -> Value {
  do throws(SystemError) { return try body() } catch { throw BackupError(error) }
}
