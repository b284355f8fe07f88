internal import CivilTime
internal import HomelineOAuth
internal import SQLite
internal import Storage

extension MediaStore {
  /// Writes an owner's page, and keeps what it names.
  ///
  /// Naming and writing are one step in the order of the queue: no picture goes between being named and standing on the page. When
  /// the body throws, the page before it is taken to stand: what it names stays too.
  /// - Parameters:
  ///   - urls: of the pictures on the page, the most wanted first; what the page before named and this one does not may go after ``grace``.
  ///   - owner: `account:NAME` or `view:NAME`.
  ///   - write: writes the page. It gets, of those that are kept, where each lies below the cache folder (`_media/ab/….jpg`); it must not
  ///     ask this store for anything.
  package func name<Answer, Failure: Error>(
    _ urls: [String], by owner: String,
    writing write: ([String: String]) throws(Failure) -> Answer
  ) throws(Failure) -> Answer {
    let outcome: Result<Answer, Failure> = onQueue {
      let found =
        limit > 0 ? withIndex { index, now throws(StorageError) in try kept(urls, for: owner, index) } ?? [:] : [:]
      let new = Set(found.values)
      // Before the page stands, so that a process that is killed between the two has named too much rather than too little.
      let former = withIndex { index, now throws(StorageError) in try add(new, to: owner, index) } ?? []
      do throws(Failure) {
        let answer = try write(found.mapValues(\.path))
        withIndex { index, now throws(StorageError) in
          try drop(former.subtracting(new.map(\.hash)), of: owner, at: now, index)
          try removeDoomed(index, at: now)
          try shrink(index, to: limit, at: now)
        }
        return .success(answer)
      } catch { return .failure(error) }
    }
    return try outcome.get()
  }

  /// An owner has no page any more.
  package func forget(owner: String) {
    onIndex { index, now throws(StorageError) in
      try drop(try names(of: owner, index), of: owner, at: now, index)
      try removeDoomed(index, at: now)
    }
  }

  /// Forgets every owner but these.
  package func retain(owners: Set<String>) {
    onIndex { index, now throws(StorageError) in
      let known = try index.connection.all("SELECT DISTINCT owner FROM names") { $0.text(0) }
      for owner in known where !owners.contains(owner) {
        try drop(try names(of: owner, index), of: owner, at: now, index)
      }
      try removeDoomed(index, at: now)
    }
  }

  /// Which of these are kept and whole, as far as there is room for what this owner names beside what the others do.
  private func kept(
    _ urls: [String], for owner: String, _ index: MediaIndex
  ) throws(StorageError) -> [String: PictureName] {
    let others = "SELECT DISTINCT hash FROM names WHERE owner <> ?"
    var shared = Set<String>()
    var room = limit
    try index.connection.run("SELECT hash, bytes FROM pictures WHERE hash IN (\(others))", [.text(owner)]) { row in
      shared.insert(row.text(0))
      room -= Int(row.integer(1))
    }
    var found: [String: PictureName] = [:]
    for url in urls where found[url] == nil {
      guard let (picture, bytes) = try picture(from: url, index) else { continue }
      guard files.has(picture, bytes: bytes) else {
        // Somebody took it away: it is fetched anew.
        try index.connection.run("DELETE FROM pictures WHERE hash = ?", [.text(picture.hash)])
        continue
      }
      if !shared.contains(picture.hash) {
        guard bytes <= room else { continue }
        shared.insert(picture.hash)
        room -= bytes
      }
      found[url] = picture
    }
    return found
  }

  private func picture(from url: String, _ index: MediaIndex) throws(StorageError) -> (PictureName, bytes: Int)? {
    let sql = "SELECT hash, type, bytes FROM sources JOIN pictures USING (hash) WHERE url = ?"
    return try index.connection.first(sql, [.text(url)]) { row -> (PictureName, bytes: Int)? in
      PictureType(rawValue: row.text(1)).map { (PictureName(hash: row.text(0), type: $0), Int(row.integer(2))) }
    } ?? nil
  }

  private func names(of owner: String, _ index: MediaIndex) throws(StorageError) -> Set<String> {
    Set(try index.connection.all("SELECT hash FROM names WHERE owner = ?", [.text(owner)]) { $0.text(0) })
  }

  /// - Returns: what the owner named before.
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
