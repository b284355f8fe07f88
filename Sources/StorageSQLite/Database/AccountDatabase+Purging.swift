package import CivilTime
internal import Publish
internal import SQLite
package import Storage
internal import Timeline

/// What is left to be done of a purge.
struct PurgeWork {
  /// The rows that are still to be looked at, in their order.
  var rows: ArraySlice<Int64>
  /// How many rows of an index of version 4 are still to be divided, which has to go with the words that are removed.
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

/// Posts are removed so that nothing of them is left in the file: freed pages are overwritten (`secure_delete`), the parts of the search
/// index that had them are written anew, and the log is emptied. Posts that were removed one by one do not come back.
extension AccountDatabase {
  package func begin(
    _ purge: Purge, at now: Timestamp, expecting revision: Revision
  ) throws(StorageError) -> Written<PurgeRun> {
    let written = try write(expecting: revision) { () throws(StorageError) in
      let last = try connection.first("SELECT max(row) FROM posts") { $0.integerOrNull(0) ?? 0 } ?? 0
      try connection.run(
        "INSERT INTO purges (kind, argument, last_row) VALUES (?, ?, ?)",
        [.text(purge.stored.kind), .text(purge.stored.argument), .integer(last)])
      let number = connection.lastRow
      if let begin = purge.begin(at: now) {
        let former = try state()
        var state = former
        state.keepsFrom = max(state.keepsFrom ?? begin, begin)
        try replace(former, by: state)
      }
      return (number, last, try eraseHidden(of: purge))
    }
    let (number, lastRow, hidden) = written.value
    let rows = try candidates(of: purge, upTo: lastRow)
    let undivided = rows.isEmpty && hidden.posts == 0 ? 0 : try countOfUndivided()
    return Written(
      run(of: purge, number, PurgeWork(rows: rows, undivided: undivided), purged: hidden), written.revision)
  }

  package func unfinishedPurges() throws(StorageError) -> [PurgeRun] {
    let noted = try connection.all("SELECT number, kind, argument, last_row FROM purges ORDER BY number") { row in
      (number: row.integer(0), purge: Purge(kind: row.text(1), argument: row.text(2)), lastRow: row.integer(3))
    }
    var runs: [PurgeRun] = []
    for note in noted {
      guard let purge = note.purge else { continue }
      let work = PurgeWork(rows: try candidates(of: purge, upTo: note.lastRow), undivided: try countOfUndivided())
      runs.append(run(of: purge, note.number, work, purged: Purged()))
    }
    return runs
  }

  private func run(of purge: Purge, _ number: Int64, _ work: PurgeWork, purged: Purged) -> PurgeRun {
    purges[number] = work
    return PurgeRun(purge, number: number, progress: work.progress, purged: purged)
  }

  /// A transaction for each portion, and one more at the end.
  package func goOn(
    _ run: PurgeRun, at now: Timestamp, expecting revision: Revision
  ) throws(StorageError) -> Written<PurgeRun> {
    guard var work = purges[run.number] else { return Written(run, revision) }
    var (run, revision) = (run, revision)
    try beginLargeChange()
    defer { endLargeChange() }
    if !work.rows.isEmpty {
      observer?.allPostsChanged()
      let portion = try write(expecting: revision) { () throws(StorageError) in
        try removed(portionOf: work, of: run, at: now)
      }
      ((work, run.purged), revision) = (portion.value, portion.revision)
    } else if work.undivided > 0 {
      work.undivided = try divideSearch()
    }
    run.progress = work.progress
    purges[run.number] = work
    guard work.rows.isEmpty, work.undivided == 0 else { return Written(run, revision) }
    revision = try write(expecting: revision) { () throws(StorageError) in
      if !run.purge.leavesPlaces { try cutSpans() }
      try connection.run("DELETE FROM purges WHERE number = ?", [.integer(run.number)])
    }.revision
    purges[run.number] = nil
    run.purged.pictures = work.pictures.sorted()
    run.purged.isLogCleared = try eraseRemains()
    run.hasEnded = true
    return Written(run, revision)
  }

  package func count(of purge: Purge) throws(StorageError) -> Purged {
    let names = try authors(of: purge)
    var purged = Purged()
    for row in try candidates(of: purge, upTo: .max) {
      guard let kept = try kept(row: row) else { continue }
      switch purge.share(of: kept, by: names) {
      case .whole: if kept.json != nil { purged.posts += 1 }
      case .quote: purged.quotes += 1
      case .none: break
      }
    }
    purged.posts += try hiddenPosts(of: purge).count
    return purged
  }

  /// Brings the log into the file and empties it.
  /// - Returns: whether nobody who reads was in the way.
  package func eraseRemains() throws(StorageError) -> Bool {
    try connection.first("PRAGMA wal_checkpoint(TRUNCATE)") { $0.integer(0) } == 0
  }

  /// How many rows are in an index of version 4, which has to go with the words that are removed.
  private func countOfUndivided() throws(StorageError) -> Int {
    try hasUndividedSearch() ? max(1, Int(try lastUndividedRow())) : 0
  }

  // MARK: Hidden posts

  /// Erases the hidden posts of a purge. They are few, so they go at once.
  private func eraseHidden(of purge: Purge) throws(StorageError) -> Purged {
    var table = PostTable(connection)
    var purged = Purged()
    var pictures: Set<String> = []
    let hidden = try hiddenPosts(of: purge)
    for kept in hidden {
      pictures.formUnion(kept.post?.pictureURLs ?? [])
      try table.notePurged(kept.id)
    }
    try table.eraseHidden(hidden.map(\.row))
    try table.close()
    purged.posts = hidden.count
    purged.pictures = pictures.sorted()
    return purged
  }

  /// The hidden posts of which a purge by id or author leaves nothing; others go with their rows. One that only quotes what is
  /// purged is erased as well.
  private func hiddenPosts(of purge: Purge) throws(StorageError) -> [PostTable.Kept] {
    let (condition, value): (String, String)
    switch purge {
    case .post(let id): (condition, value) = ("id = ?1 OR json_extract(hidden.post, '$.quoted.id') = ?1", id.text)
    case .author(let name):
      let members = ["author", "reposted_by", "quoted.author"]
      let conditions = members.map { "json_extract(hidden.post, '$.\($0).screen_name') = ?1 COLLATE NOCASE" }
      (condition, value) = (conditions.joined(separator: " OR "), name)
    case .before, .everything: return []
    }
    return try connection.all(
      """
      SELECT row, key, id, created_at, hidden.post, hidden.edited_at FROM hidden JOIN posts USING (row) WHERE \(condition)
      """, [.text(value)]
    ) { PostTable.kept($0) }
  }

  // MARK: A portion

  /// Removes what is left to be removed of the rows of one part of the search index.
  private func removed(
    portionOf work: PurgeWork, of run: PurgeRun, at now: Timestamp
  ) throws(StorageError) -> (PurgeWork, Purged) {
    var (work, purged) = (work, run.purged)
    guard let first = work.rows.first else { return (work, purged) }
    let part = SearchPart.number(ofRow: first)
    let rowsOfPart = SearchPart.rows(of: part)
    let portion = work.rows.prefix { rowsOfPart.contains($0) }
    work.rows = work.rows.dropFirst(portion.count)
    let names = try authors(of: run.purge)
    var whole: [PostTable.Kept] = []
    var quoting: [PostTable.Kept] = []
    for row in portion {
      guard let kept = try kept(row: row)?.withParsedPost() else { continue }
      switch run.purge.share(of: kept, by: names) {
      case .whole: whole.append(kept)
      case .quote: quoting.append(kept)
      case .none: break
      }
    }
    guard !whole.isEmpty || !quoting.isEmpty else { return (work, purged) }
    // Rows that are not in a part yet get there without what is removed here.
    let lastUndivided = try lastUndividedRow()
    let posts = whole.count { $0.json != nil }
    let isEmptied = try posts == countOfPosts(in: rowsOfPart)
    var isThinned = false
    var table = PostTable(connection)
    for kept in whole {
      let isIndexed = kept.row > lastUndivided && !isEmptied
      if isIndexed && kept.json != nil { isThinned = true }
      work.pictures.formUnion(kept.post?.pictureURLs ?? [])
      if run.purge.leavesPlaces {
        try table.bury(kept, isIndexed: isIndexed, at: now)
        try table.notePurged(kept.id)
      } else {
        try table.remove(kept, isIndexed: isIndexed)
      }
    }
    for kept in quoting {
      guard var post = kept.post, let quoted = post.quoted else { continue }
      if kept.row > lastUndivided { isThinned = true }
      work.pictures.formUnion(quoted.pictureURLs)
      try table.notePurged(quoted.id)
      post.quoted = nil
      try table.rewrite(kept, as: post)
    }
    try table.close()
    if isThinned { try table.compactSearch(part) }
    purged.posts += posts
    purged.quotes += quoting.count
    return (work, purged)
  }

  private func kept(row: Int64) throws(StorageError) -> PostTable.Kept? {
    try connection.first("SELECT \(PostTable.columns) FROM posts WHERE row = ?", [.integer(row)]) { PostTable.kept($0) }
  }

  private func countOfPosts(in rows: Range<Int64>) throws(StorageError) -> Int {
    Int(
      try connection.first(
        "SELECT count(*) FROM posts WHERE row >= ? AND row < ? AND post IS NOT NULL",
        [.integer(rows.lowerBound), .integer(rows.upperBound)]
      ) { $0.integer(0) } ?? 0)
  }

  // MARK: What is meant

  /// The rows among which all are that a purge removes or changes, in their order.
  private func candidates(of purge: Purge, upTo lastRow: Int64) throws(StorageError) -> [Int64] {
    var rows: Set<Int64>
    switch purge {
    case .before(let moment):
      rows = Set(try self.rows(PurgeCandidates.before, .integer(moment.milliseconds)))
    case .everything:
      return try self.rows("SELECT row FROM posts WHERE row <= ? ORDER BY row", .integer(lastRow))
    case .post(let id):
      rows = Set(try self.rows(PurgeCandidates.post, .text(id.text)))
      rows.formUnion(try self.rows(PurgeCandidates.quotes, .text(id.text)))
    case .author(let name):
      // Every name under which somebody is seen in a post is in the search index.
      guard let term = SearchTerm(name, isPrefix: false, isAuthor: true) else {
        return try self.rows(
          "SELECT row FROM posts WHERE row <= ? AND post IS NOT NULL ORDER BY row", .integer(lastRow))
      }
      rows = Set(try self.rows(PurgeCandidates.author, .text(name)))
      var tables = try searchParts().map(\.table)
      if try hasUndividedSearch() { tables.append("search") }
      for table in tables {
        rows.formUnion(try self.rows("SELECT rowid FROM \(table) WHERE \(table) MATCH ?", .text(term.expression)))
      }
    }
    return rows.filter { $0 <= lastRow }.sorted()
  }

  private func rows(_ sql: String, _ value: SQLiteValue) throws(StorageError) -> [Int64] {
    try connection.all(sql, [value]) { $0.integer(0) }
  }

  /// The ids of those who had the purged name when they were seen last.
  private func authors(of purge: Purge) throws(StorageError) -> Set<String> {
    guard case .author(let name) = purge else { return [] }
    return Set(try connection.all("SELECT id FROM authors WHERE screen_name = ?", [.text(name)]) { $0.text(0) })
  }
}

/// Statements that find the rows a purge has to look at. Each has an index to do so: the archive is not read through.
enum PurgeCandidates {
  static let before = "SELECT row FROM posts WHERE created_at < ?"
  static let post = "SELECT row FROM posts WHERE id = ?"
  static let quotes = "SELECT row FROM quotes WHERE id = ?"
  static let author = "SELECT row FROM posts WHERE author IN (SELECT id FROM authors WHERE screen_name = ?)"
}

extension Purge {
  /// What of a post is removed.
  fileprivate enum Share { case whole, quote, none }

  /// - Parameter authors: the ids of the users with the name that is purged.
  fileprivate func share(of kept: PostTable.Kept, by authors: Set<String>) -> Share {
    switch self {
    case .before(let moment): return kept.createdAt < moment ? .whole : .none
    case .everything: return .whole
    case .post(let id):
      // A place that is left is no post any more.
      guard kept.json != nil else { return .none }
      if kept.id == id { return .whole }
      return kept.post?.quoted?.id == id ? .quote : .none
    case .author(let name):
      guard let post = kept.post else { return .none }
      func isMeant(_ user: User?) -> Bool { user.map { Self.isSame($0.screenName, name) } ?? false }
      if authors.contains(post.author.id) || isMeant(post.author) || isMeant(post.repostedBy) { return .whole }
      return isMeant(post.quoted?.author) ? .quote : .none
    }
  }

  /// Whether two names differ in the case of ASCII letters at most, as `NOCASE` has it.
  private static func isSame(_ left: String, _ right: String) -> Bool {
    func lower(_ byte: UInt8) -> UInt8 { (0x41...0x5a).contains(byte) ? byte | 0x20 : byte }
    return left.utf8.elementsEqual(right.utf8) { lower($0) == lower($1) }
  }

  /// Whether what is removed leaves its place, so that a page that still brings it does not bring it back.
  fileprivate var leavesPlaces: Bool {
    switch self {
    case .post, .author: true
    case .before, .everything: false
    }
  }

  /// From when on posts are taken afterwards.
  fileprivate func begin(at now: Timestamp) -> Timestamp? {
    switch self {
    case .post, .author: nil
    case .before(let moment): moment
    case .everything: now
    }
  }

  // MARK: In the table of purges

  fileprivate var stored: (kind: String, argument: String) {
    switch self {
    case .post(let id): ("post", id.text)
    case .author(let name): ("author", name)
    case .before(let moment): ("before", String(moment.milliseconds))
    case .everything: ("everything", "")
    }
  }

  fileprivate init?(kind: String, argument: String) {
    switch kind {
    case "post": self = .post(PostID(argument))
    case "author": self = .author(argument)
    case "before":
      guard let milliseconds = Int64(argument) else { return nil }
      self = .before(Timestamp(milliseconds: milliseconds))
    case "everything": self = .everything
    default: return nil
    }
  }
}
