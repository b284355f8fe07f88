internal import Storage

/// Which of the tables that are empty for most accounts have rows. One statement reads this, so that no statement is prepared for each of
/// these tables.
struct RareRows {
  var purged: Bool
  var hidden: Bool
  let deletionChecks: Bool

  static func find(in connection: SQLiteConnection) throws(StorageError) -> RareRows {
    let found = try connection.first(
      """
      SELECT EXISTS (SELECT 1 FROM purged), EXISTS (SELECT 1 FROM hidden), EXISTS (SELECT 1 FROM deletion_checks)
      """
    ) { RareRows(purged: $0.flag(0), hidden: $0.flag(1), deletionChecks: $0.flag(2)) }
    guard let found else { preconditionFailure("a SELECT without FROM has one row") }
    return found
  }
}
