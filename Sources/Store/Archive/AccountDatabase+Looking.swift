extension AccountDatabase {
  /// Opens the account's archive to look at it, while its owner may be writing.
  /// - Returns: `nil` when there is none, or none that has been begun.
  /// - Throws: `.olderSchema` where it has no authors, edits and words yet.
  package static func openArchive(_ files: AccountFiles) throws(AccountDatabaseError) -> AccountDatabase? {
    guard let database = try openForReading(files) else { return nil }
    if database.hasArchive { return database }
    database.close()
    throw .olderSchema(files.database)
  }
}
