package import Folders
internal import Platform
internal import StorageSQLite
internal import Time

/// More databases in use than a process keeps the memory of, so that every other database must give its memory back when it rests.
package final class CrowdedDatabases {
  private let databases: [AccountDatabase]

  /// - Parameter folder: the home folder for the databases' files.
  package init(in folder: String) throws {
    let folders = BaseDirectories(environment: ["HOME": folder])!
    let layout = FileLayout(folders)
    databases = try (0..<40).map { number in
      let database = try AccountDatabase.open(layout.files(of: "a\(number)"), at: Timestamp(seconds: 1_780_000_000))
      _ = try database.countOfPosts()
      return database
    }
  }

  deinit { for database in databases { database.close() } }

  /// Returns the size in KiB of the part of a database's write-ahead log index that is in this process's memory (proc(5), smaps).
  package func residentIndex(of files: AccountFiles) throws -> Int {
    let maps = String(decoding: try File.read("/proc/self/smaps", limit: 1 << 26), as: UTF8.self)
    var size = 0
    var isIndex = false
    for line in maps.split(separator: "\n") {
      let fields = line.split(separator: " ")
      if line.hasSuffix("\(files.database)-shm") {
        isIndex = true
      } else if isIndex, fields.first == "Rss:" {
        size += Int(fields[1]) ?? 0
        isIndex = false
      }
    }
    return size
  }
}
