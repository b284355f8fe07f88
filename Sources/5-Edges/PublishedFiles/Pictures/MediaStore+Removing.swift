internal import Platform
internal import Storage
internal import StorageSQLite
internal import Time

extension MediaStore {
  /// Removes the pictures in purged posts, and the records of their URLs, as soon as no page refers to them. The removal is postponed while
  /// another process reads pictures.
  package func remove(_ urls: [String]) {
    onIndex { index, now throws(StorageError) in
      try index.connection.transaction { () throws(StorageError) in
        for url in urls {
          try index.connection.run(
            "UPDATE pictures SET doomed = 1 WHERE hash = (SELECT hash FROM sources WHERE url = ?)", [.text(url)])
          try index.connection.run(
            """
            DELETE FROM sources WHERE url = ?
            AND (hash IS NULL OR hash IN (SELECT hash FROM pictures WHERE \(Self.isUnnamed)))
            """, [.text(url)])
        }
      }
      for url in urls { try removePart(of: url, index) }
      try removeDoomed(index, at: now)
    }
  }

  /// Changes the limit. Pictures beyond it are removed once no page refers to them.
  package func adopt(limit: Int) {
    onIndex { index, now throws(StorageError) in
      self.limit = limit
      self.refusedSize = nil
      try self.shrink(index, to: limit, at: now)
    }
  }

  // MARK: On the queue

  static let isUnnamed = "NOT EXISTS (SELECT 1 FROM names WHERE names.hash = pictures.hash)"

  /// Returns the total size of pictures and parts in bytes.
  func total(_ index: MediaIndex) throws(StorageError) -> Int {
    let sql = "SELECT (SELECT total(bytes) FROM pictures) + (SELECT total(bytes) FROM parts)"
    return try index.connection.first("SELECT CAST((\(sql)) AS INTEGER)") { $0.amount(0) } ?? 0
  }

  /// Returns the number of bytes that could be removed now.
  func removable(_ index: MediaIndex, at now: Timestamp) throws(StorageError) -> Int {
    let sql = "SELECT CAST(total(bytes) AS INTEGER) FROM pictures WHERE used_at <= ? AND \(Self.isUnnamed)"
    return try index.connection.first(sql, [.integer((now - Self.grace).milliseconds)]) { $0.amount(0) } ?? 0
  }

  /// Removes pictures, starting with those that no page has referred to for the longest time, until their total size is at most `size`
  /// bytes or no more can be removed.
  func shrink(_ index: MediaIndex, to size: Int, at now: Timestamp) throws(StorageError) {
    var excess = try total(index) - size
    guard excess > 0 else { return }
    // Times in the future were recorded while the clock was wrong, and must not protect pictures for longer.
    try index.connection.run(
      "UPDATE pictures SET used_at = ?1 WHERE used_at > ?1", [.integer(now.milliseconds)])
    let candidates = try index.connection.all(
      """
      SELECT hash, type, bytes FROM pictures WHERE used_at <= ? AND \(Self.isUnnamed) ORDER BY used_at, hash
      """, [.integer((now - Self.grace).milliseconds)]
    ) { (hash: $0.text(0), type: $0.text(1), bytes: $0.amount(2)) }
    var leaving: [(hash: String, type: String)] = []
    for candidate in candidates where excess > 0 {
      leaving.append((candidate.hash, candidate.type))
      excess -= candidate.bytes
    }
    try unlink(leaving, index)
  }

  /// Removes the pictures that a purge has marked.
  func removeDoomed(_ index: MediaIndex, at now: Timestamp) throws(StorageError) {
    let doomed = try index.connection.all("SELECT hash, type FROM pictures WHERE doomed AND \(Self.isUnnamed)") {
      (hash: $0.text(0), type: $0.text(1))
    }
    try unlink(doomed, index)
  }

  /// Deletes the files, and then their rows. If the process exits in between, the store notices the missing files when it is opened again.
  /// Does nothing while another process holds the lock.
  private func unlink(_ pictures: [(hash: String, type: String)], _ index: MediaIndex) throws(StorageError) {
    guard !pictures.isEmpty else { return }
    do throws(SystemError) {
      guard case .held(let lock) = try FileLock.take(files.lock, text: "") else { return }
      for picture in pictures {
        guard let type = PictureType(rawValue: picture.type) else { continue }
        try File.remove(files.path(of: PictureName(hash: picture.hash, type: type)))
      }
      _ = consume lock
    } catch {
      return logFailure("\(error)")
    }
    try index.connection.transaction { () throws(StorageError) in
      for picture in pictures {
        try index.connection.run("DELETE FROM pictures WHERE hash = ?", [.text(picture.hash)])
      }
    }
    refusedSize = nil
  }
}
