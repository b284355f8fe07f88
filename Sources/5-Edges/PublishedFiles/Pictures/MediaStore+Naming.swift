internal import Storage
internal import StorageSQLite
internal import Time

extension MediaStore {
  /// Writes an account's or a view's page, and protects the pictures that it refers to from removal.
  ///
  /// One operation on the queue does both, so no picture is removed in between. If the body throws, the previous page is
  /// assumed to remain, and its pictures stay protected too.
  /// - Parameters:
  ///   - urls: the pictures on the page in order of priority. Pictures that only the previous page referred to may be removed after
  ///     ``grace``.
  ///   - owner: `account:NAME` or `view:NAME`.
  ///   - write: writes the page. It receives the path below the cache folder (`_media/ab/….jpg`) of each stored picture. It must not call
  ///     this store.
  package func name<Value, Failure: Error>(
    _ urls: [String], by owner: String,
    writing write: ([String: String]) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let outcome: Result<Value, Failure> = onQueue {
      let found =
        limit > 0 ? withIndex { index, now throws(StorageError) in try kept(urls, for: owner, index) } ?? [:] : [:]
      let new = Set(found.values)
      // The names are stored before the page is written. If the process is killed in between, too many pictures are protected, never too
      // few.
      let former = withIndex { index, now throws(StorageError) in try add(new, to: owner, index) } ?? []
      do throws(Failure) {
        let value = try write(found.mapValues(\.path))
        withIndex { index, now throws(StorageError) in
          try drop(former.subtracting(new.map(\.hash)), of: owner, at: now, index)
          try removeDoomed(index, at: now)
          try shrink(index, to: limit, at: now)
        }
        return .success(value)
      } catch { return .failure(error) }
    }
    return try outcome.get()
  }

  /// Returns the path below the cache folder of each picture that is stored. Nothing protects the pictures from removal afterwards.
  /// - Parameter urls: the pictures' URLs.
  package func paths(of urls: [String]) -> [String: String] {
    onIndex { index, now throws(StorageError) in
      var paths: [String: String] = [:]
      for url in urls where paths[url] == nil {
        guard let (picture, bytes) = try picture(from: url, index), files.has(picture, bytes: bytes) else { continue }
        paths[url] = picture.path
      }
      return paths
    } ?? [:]
  }

  /// Removes the record of an account's or a view's page.
  package func forget(owner: String) {
    onIndex { index, now throws(StorageError) in
      try drop(try names(of: owner, index), of: owner, at: now, index)
      try removeDoomed(index, at: now)
    }
  }

  /// Removes the records of all pages except those of the given accounts and views.
  package func retain(owners: Set<String>) {
    onIndex { index, now throws(StorageError) in
      let known = try index.connection.all("SELECT DISTINCT owner FROM names") { $0.text(0) }
      for owner in known where !owners.contains(owner) {
        try drop(try names(of: owner, index), of: owner, at: now, index)
      }
      try removeDoomed(index, at: now)
    }
  }

  /// Returns the pictures that are stored completely, up to the limit. Pictures that other pages refer to do not count towards this page's
  /// limit.
  private func kept(
    _ urls: [String], for owner: String, _ index: MediaIndex
  ) throws(StorageError) -> [String: PictureName] {
    let others = "SELECT DISTINCT hash FROM names WHERE owner <> ?"
    var shared = Set<String>()
    var freeBytes = limit
    try index.connection.run("SELECT hash, bytes FROM pictures WHERE hash IN (\(others))", [.text(owner)]) { row in
      shared.insert(row.text(0))
      freeBytes -= row.amount(1)
    }
    var found: [String: PictureName] = [:]
    for url in urls where found[url] == nil {
      guard let (picture, bytes) = try picture(from: url, index) else { continue }
      guard files.has(picture, bytes: bytes) else {
        // Another program deleted the file, so it is fetched again.
        try index.connection.run("DELETE FROM pictures WHERE hash = ?", [.text(picture.hash)])
        continue
      }
      if !shared.contains(picture.hash) {
        guard bytes <= freeBytes else { continue }
        shared.insert(picture.hash)
        freeBytes -= bytes
      }
      found[url] = picture
    }
    return found
  }

  private func picture(from url: String, _ index: MediaIndex) throws(StorageError) -> (PictureName, bytes: Int)? {
    let sql = "SELECT hash, type, bytes FROM sources JOIN pictures USING (hash) WHERE url = ?"
    return try index.connection.first(sql, [.text(url)]) { row -> (PictureName, bytes: Int)? in
      PictureType(rawValue: row.text(1)).map { (PictureName(hash: row.text(0), type: $0), row.amount(2)) }
    } ?? nil
  }

  private func names(of owner: String, _ index: MediaIndex) throws(StorageError) -> Set<String> {
    Set(try index.connection.all("SELECT hash FROM names WHERE owner = ?", [.text(owner)]) { $0.text(0) })
  }

  /// Adds pictures to an owner's page.
  /// - Returns: the pictures that the previous page referred to.
  private func add(
    _ pictures: Set<PictureName>, to owner: String, _ index: MediaIndex
  ) throws(StorageError) -> Set<String> {
    let former = try names(of: owner, index)
    let added = pictures.map(\.hash).filter { !former.contains($0) }
    guard !added.isEmpty else { return former }
    try index.connection.transaction { () throws(StorageError) in
      for hash in added {
        try index.connection.run("INSERT INTO names (owner, hash) VALUES (?, ?)", [.text(owner), .text(hash)])
        try index.connection.run("UPDATE pictures SET doomed = 0 WHERE hash = ? AND doomed", [.text(hash)])
      }
    }
    return former
  }

  private func drop(
    _ hashes: Set<String>, of owner: String, at now: Timestamp, _ index: MediaIndex
  ) throws(StorageError) {
    guard !hashes.isEmpty else { return }
    try index.connection.transaction { () throws(StorageError) in
      for hash in hashes {
        try index.connection.run("DELETE FROM names WHERE owner = ? AND hash = ?", [.text(owner), .text(hash)])
        try index.connection.run(
          "UPDATE pictures SET used_at = ? WHERE hash = ?", [.integer(now.milliseconds), .text(hash)])
      }
    }
  }
}
