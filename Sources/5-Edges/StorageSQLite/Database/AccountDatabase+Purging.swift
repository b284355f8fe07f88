internal import Formats
package import Storage
package import Time
internal import Timeline

/// Purging removes posts so that no file contains their content: SQLite overwrites freed pages (`secure_delete`), the affected parts of the
/// search index are rebuilt, and the log is reset. Posts that were purged individually are not stored again.
extension AccountDatabase {
  package func begin(
    _ purge: Purge, at now: Timestamp, expecting revision: Revision
  ) throws(StorageError) -> Written<PurgeRun> {
    let written = try write(expecting: revision) { () throws(StorageError) in
      let last = try connection.first("SELECT max(row) FROM posts") { $0.rowID(0) } ?? 0
      try connection.run(
        "INSERT INTO purges (kind, argument, last_row) VALUES (?, ?, ?)",
        [.text(purge.stored.kind), .text(purge.stored.argument), .integer(last)])
      let number = connection.lastRow
      if let begin = purge.keepsFrom(at: now) {
        let former = try state()
        var state = former
        state.keepsFrom = max(state.keepsFrom ?? begin, begin)
        try replace(former, by: state)
      }
      return (number, last, try eraseHidden(of: purge, at: now))
    }
    let (number, lastRow, hidden) = written.value
    // The home timeline does not show these posts, but others may.
    if hasOthers { observer?.allPostsChanged() }
    let rows = try candidates(of: purge, upTo: lastRow)
    let undivided = rows.isEmpty && hidden.posts == 0 ? 0 : try countOfUndivided()
    return Written(
      run(of: purge, number, PurgeWork(rows: rows, undivided: undivided), purged: hidden), written.revision)
  }

  package func unfinishedPurges() throws(StorageError) -> [PurgeRun] {
    let rows = try connection.all("SELECT number, kind, argument, last_row FROM purges ORDER BY number") { row in
      (number: row.rowID(0), purge: Purge(kind: row.text(1), argument: row.text(2)), lastRow: row.rowID(3))
    }
    var runs: [PurgeRun] = []
    for note in rows {
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

  /// Runs a transaction for each portion, and another one at the end.
  package func continuePurge(
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
      if !run.purge.leavesTombstones {
        for timeline in try timelines() { try cutSpans(of: timeline.name) }
      }
      try connection.run("DELETE FROM purges WHERE number = ?", [.integer(run.number)])
    }.revision
    purges[run.number] = nil
    run.purged.pictures = work.pictures.union(run.purged.pictures).sorted()
    run.purged.isLogCleared = try eraseTraces()
    run.hasEnded = true
    return Written(run, revision)
  }

  package func count(of purge: Purge) throws(StorageError) -> Purged {
    let names = try authors(of: purge)
    let table = postTable()
    var purged = Purged()
    for row in try candidates(of: purge, upTo: .max) {
      guard let stored = try table.storedPost(row: row) else { continue }
      switch PostTable.part(of: stored, matching: purge, by: names) {
      case .whole: if !stored.isDeleted { purged.posts += 1 }
      case .quote: purged.quotes += 1
      case .none: break
      }
    }
    purged.posts += try hiddenPosts(of: purge).count
    if try seesOthers() {
      purged.posts += try table.events(of: purge, by: names).count
    }
    return purged
  }

  /// Checkpoints the log and truncates it.
  /// - Returns: false if a reader prevented this.
  package func eraseTraces() throws(StorageError) -> Bool {
    try connection.first("PRAGMA wal_checkpoint(TRUNCATE)") { !$0.flag(0) } == true
  }

  /// Returns the number of rows in a version 4 index, which also contains the purged text.
  private func countOfUndivided() throws(StorageError) -> Int {
    try hasUndividedSearch() ? max(1, Int(try lastUndividedRow())) : 0
  }

  // MARK: Hidden posts

  /// Erases the hidden posts and the events that match a purge. There are so few of them that one transaction is enough.
  private func eraseHidden(of purge: Purge, at now: Timestamp) throws(StorageError) -> Purged {
    var table = postTable()
    var purged = Purged()
    var pictures: Set<String> = []
    let hidden = try hiddenPosts(of: purge)
    for stored in hidden {
      pictures.formUnion(stored.post?.pictureURLs ?? [])
      try table.notePurged(stored.id)
    }
    try table.eraseHidden(hidden.map(\.row), at: now)
    let events = try table.eraseEvents(of: purge, by: authors(of: purge))
    for event in events { pictures.formUnion(event.notice.actors.compactMap(\.avatarURL)) }
    try table.close()
    purged.posts = hidden.count + events.count
    purged.pictures = pictures.sorted()
    return purged
  }

  /// Returns the hidden posts that a purge by id or author erases completely, including posts that quote a purged post. Other purges remove
  /// hidden posts with their rows, and count the filtered posts.
  private func hiddenPosts(of purge: Purge) throws(StorageError) -> [PostTable.StoredPost] {
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
      SELECT \(PostTable.hiddenColumns) FROM \(PostTable.hiddenPosts) WHERE \(condition)
      """, [.text(value)]
    ) { PostTable.storedPost($0) }
  }

  // MARK: Portions

  /// Removes the matching rows of one part of the search index.
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
    var table = postTable()
    var whole: [PostTable.StoredPost] = []
    var quoting: [PostTable.StoredPost] = []
    for row in portion {
      guard let stored = try table.storedPost(row: row)?.withParsedPost() else { continue }
      switch PostTable.part(of: stored, matching: run.purge, by: names) {
      case .whole: whole.append(stored)
      case .quote: quoting.append(stored)
      case .none: break
      }
    }
    guard !whole.isEmpty || !quoting.isEmpty else { return (work, purged) }
    // Rows that are not yet in a part are copied into one, but without the removed text.
    let lastUndivided = try lastUndividedRow()
    let posts = whole.count { $0.json != nil }
    let removesAll = try posts == countOfPosts(in: rowsOfPart)
    var needsCompacting = false
    for filtered in whole where filtered.isFiltered {
      work.pictures.formUnion(try table.hiddenPost(ofRow: filtered.row)?.post?.pictureURLs ?? [])
      purged.posts += 1
      // The index may contain traces of the text from the time before the post was hidden.
      if filtered.row > lastUndivided && !removesAll { needsCompacting = true }
    }
    for stored in whole {
      let isIndexed = stored.row > lastUndivided && !removesAll
      if isIndexed && stored.json != nil { needsCompacting = true }
      work.pictures.formUnion(stored.post?.pictureURLs ?? [])
      if run.purge.leavesTombstones {
        try table.leaveTombstone(stored, isIndexed: isIndexed, at: now)
        try table.notePurged(stored.id)
      } else {
        try table.remove(stored, isIndexed: isIndexed)
      }
    }
    for stored in quoting {
      guard var post = stored.post, let quoted = post.quoted else { continue }
      if stored.row > lastUndivided { needsCompacting = true }
      work.pictures.formUnion(quoted.pictureURLs)
      try table.notePurged(quoted.id)
      post.quoted = nil
      try table.rewrite(stored, as: post)
    }
    try table.close()
    if needsCompacting { try table.compactSearch(part) }
    purged.posts += posts
    purged.quotes += quoting.count
    return (work, purged)
  }

  private func countOfPosts(in rows: Range<Int64>) throws(StorageError) -> Int {
    try connection.first(
      "SELECT count(*) FROM posts WHERE row >= ? AND row < ? AND post IS NOT NULL",
      [.integer(rows.lowerBound), .integer(rows.upperBound)]
    ) { $0.amount(0) } ?? 0
  }

  // MARK: Matching posts

  /// Returns candidate rows in order, including every row that a purge removes or changes.
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
      // The search index contains every name that an author has in a post.
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
    try connection.all(sql, [value]) { $0.rowID(0) }
  }

  /// Returns the ids of users who last appeared under the purged name.
  private func authors(of purge: Purge) throws(StorageError) -> Set<String> {
    guard case .author(let name) = purge else { return [] }
    return Set(try connection.all("SELECT id FROM authors WHERE screen_name = ?", [.text(name)]) { $0.text(0) })
  }
}
