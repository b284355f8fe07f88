internal import Publish
internal import Timeline

/// The newest posts of a database as they are published, and what the head of their file says of them.
struct PublishedWindow {
  private(set) var lines = PostLines()
  /// The oldest of them.
  private(set) var last: PostMark?
  /// How many are newer than what is read.
  private(set) var unread = 0
  /// Where the mark of what is read is shown.
  private(set) var readUpTo: PostID?
  /// Which posts of those that were published before stand behind the fresh ones; `nil` where none were taken from there.
  private(set) var staying: Range<Int>?

  /// Reads all of them from the database.
  /// - Parameters:
  ///   - unstored: posts above all of its own, newest first, which it has not taken yet.
  ///   - read: up to where its user has read.
  ///   - size: about how many bytes they will be; each doubling of an array that grows touches its memory anew.
  init(
    of database: AccountDatabase, newest count: Int, below unstored: [KnownPost] = [], readUpTo read: PostMark?,
    about size: Int = 0
  ) throws(SQLiteError) {
    lines.reserveCapacity(size)
    for post in unstored.prefix(count) {
      lines.append { $0 += post.json }
      last = post.mark
    }
    unread = lines.count
    try take(count - lines.count, from: nil, of: database, read)
    // A post that is gone has left its place: then the mark is shown at the next one below.
    readUpTo = readUpTo ?? read?.id
  }

  /// Reads those that have changed, and takes the others from the file as it was published before.
  /// - Parameter file: `home_timeline.json`.
  /// - Returns: `nil` where the others cannot be told.
  init?(
    of database: AccountDatabase, since former: PublishedPosts, file: [UInt8], readUpTo read: PostMark?
  ) throws(SQLiteError) {
    guard former.readUpTo == read, let others = PostLines(file: file, from: former.start), others.count == former.count
    else { return nil }
    lines.reserveCapacity(file.count + file.count / 4)
    if let lowest = former.lowest { try take(former.keepPosts, from: lowest, of: database, read) }
    guard let staying = former.staying(behind: lines.count) else { return nil }
    self.staying = staying
    guard let oldest = staying.last else {
      readUpTo = readUpTo ?? read?.id
      return
    }
    guard let mark = try database.mark(ofLine: others[oldest]) else { return nil }
    last = mark
    // The unread ones come first.
    let firstRead = max(former.unread, staying.lowerBound)
    unread += min(firstRead, staying.upperBound) - staying.lowerBound
    if read != nil, readUpTo == nil, firstRead < staying.upperBound {
      guard let post = try? PostJSON.read(Array(others[firstRead])) else { return nil }
      readUpTo = post.id
    }
    readUpTo = readUpTo ?? read?.id
    lines.append(staying, of: others)
  }

  private mutating func take(
    _ count: Int, from lowest: PostKey?, of database: AccountDatabase, _ read: PostMark?
  ) throws(SQLiteError) {
    let readKey = read.map { Array($0.key.text.utf8) }
    // One pair of arrays for all rows: only the last row's are kept.
    var (key, id): ([UInt8], [UInt8]) = ([], [])
    try database.connection.run(
      "SELECT post, key, id FROM posts WHERE key >= ? AND post IS NOT NULL ORDER BY key DESC LIMIT ?",
      [.text(lowest?.text ?? ""), .integer(Int64(count))]
    ) { row throws(SQLiteError) in
      lines.append { row.append(0, to: &$0) }
      key.removeAll(keepingCapacity: true)
      id.removeAll(keepingCapacity: true)
      row.append(1, to: &key)
      row.append(2, to: &id)
      if let readKey, !readKey.lexicographicallyPrecedes(key) {
        if readUpTo == nil { readUpTo = PostID(String(decoding: id, as: UTF8.self)) }
      } else {
        unread += 1
      }
    }
    if key.isEmpty { return }
    last = PostMark(
      id: PostID(String(decoding: id, as: UTF8.self)), key: PostKey(String(decoding: key, as: UTF8.self)))
  }
}

extension AccountDatabase {
  /// Where a published post stands; `nil` where its id alone does not tell.
  fileprivate func mark(ofLine line: ArraySlice<UInt8>) throws(SQLiteError) -> PostMark? {
    guard let post = try? PostJSON.read(Array(line)) else { return nil }
    let keys = try connection.all("SELECT key FROM posts WHERE id = ?", [.text(post.id.text)]) { PostKey($0.text(0)) }
    return keys.count == 1 ? PostMark(id: post.id, key: keys[0]) : nil
  }
}
