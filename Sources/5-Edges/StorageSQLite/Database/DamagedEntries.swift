internal import Storage
internal import Time
internal import Timeline

/// The entries of timelines other than home in a corrupt database. They tell which timelines a post belongs to.
final class DamagedEntries {
  struct Entry {
    let timeline: TimelineName
    let key: PostKey
    let id: String?
    let time: Timestamp
    let filter: ServerFilter?
    let notice: String?

    /// Adds the entry, unless its position is occupied.
    /// - Parameter row: the row of its post in the new database.
    func insert(into connection: SQLiteConnection, row: Int64?, number: Int64) throws(StorageError) {
      try connection.run(
        """
        INSERT OR IGNORE INTO entries (timeline, key, row, id, at, filter_action, filter_title, notice)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """,
        [
          .integer(number), .text(key.text), SQLiteValue(row), SQLiteValue(id), .integer(time.milliseconds),
          SQLiteValue(filter?.action.rawValue), SQLiteValue(filter?.title), SQLiteValue(notice),
        ])
    }
  }

  private let damaged: SQLiteConnection
  private let names: [Int64: TimelineName]
  private let hasEntries: Bool
  /// Whether every entry asked for could be read.
  private(set) var areComplete: Bool

  init(_ damaged: SQLiteConnection) {
    self.damaged = damaged
    hasEntries = Self.hasTable(in: damaged)
    let names = Self.names(in: damaged)
    self.names = names ?? [:]
    areComplete = names != nil
  }

  static func hasTable(in damaged: SQLiteConnection) -> Bool {
    (try? damaged.hasTable(OtherTimelineTables.name)) ?? false
  }

  /// Returns the timelines by number, none for a file without other timelines; `nil` if they cannot be read.
  static func names(in damaged: SQLiteConnection) -> [Int64: TimelineName]? {
    hasTable(in: damaged) ? try? OtherTimelineTables.names(in: damaged) : [:]
  }

  /// Returns the entries of a post.
  func entries(of row: Int64) -> [Entry] { read("row = ?", [.integer(row)]) }

  /// Returns the notifications that concern no post, and those that were erased.
  func notices() -> [Entry] { read("row IS NULL AND notice IS NOT NULL", []) }

  private func read(_ condition: String, _ values: [SQLiteValue]) -> [Entry] {
    guard hasEntries else { return [] }
    let sql = "SELECT timeline, key, id, at, notice, filter_action, filter_title FROM entries WHERE \(condition)"
    guard let found = try? damaged.all(sql, values, { entry($0) }) else {
      areComplete = false
      return []
    }
    if found.contains(where: { $0 == nil }) { areComplete = false }
    return found.compactMap { $0 }
  }

  private func entry(_ row: borrowing SQLiteRow) -> Entry? {
    let key = row.text(1)
    guard let timeline = names[row.rowID(0)], DamagedPost.isValid(key) else { return nil }
    if let notice = row.textOrNull(4), notice != Notice.erased, Notice(stored: Array(notice.utf8)) == nil { return nil }
    return Entry(
      timeline: timeline, key: PostKey(key), id: row.textOrNull(2), time: row.time(3),
      filter: ServerFilter(row, from: 5), notice: row.textOrNull(4))
  }
}
