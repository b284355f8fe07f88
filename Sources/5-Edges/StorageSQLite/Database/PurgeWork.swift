internal import Storage
internal import Time
internal import Timeline

/// The remaining work of a purge.
struct PurgeWork {
  /// The rows that have yet to be checked, in order.
  var rows: ArraySlice<Int64>
  /// The number of rows in a version 4 index that have yet to be divided. That index also contains the purged text.
  var undivided: Int
  var pictures: Set<String> = []
  private let count: Int

  init(rows: [Int64], undivided: Int) {
    self.rows = rows[...]
    self.undivided = undivided
    count = rows.count + undivided
  }

  var progress: PurgeRun.Progress { PurgeRun.Progress(done: count - rows.count - undivided, of: count) }
}

/// Queries for the rows that a purge has to check. Each uses an index, so the archive is not scanned.
enum PurgeCandidates {
  static let before = "SELECT row FROM posts WHERE created_at < ?"
  static let post = "SELECT row FROM posts WHERE id = ?"
  static let quotes = "SELECT row FROM quotes WHERE id = ?"
  static let author = "SELECT row FROM posts WHERE author IN (SELECT id FROM authors WHERE screen_name = ?)"
}
