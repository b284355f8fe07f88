package import Folders
internal import Platform
package import Storage

extension AccountDatabase {
  /// Copies an account's database as of a single moment, even while the state owner writes to it.
  /// - Parameter path: the new file, which must not exist. It has mode 0600 and is synced.
  package static func copy(_ files: AccountFiles, to path: String) throws(StorageError) {
    do throws(SystemError) { try PrivateFile.checkDatabase(files.database) } catch { throw StorageError(error) }
    let connection = try SQLiteConnection(files.database, .reading)
    defer { connection.close() }
    try connection.copy(to: path)
  }
}
