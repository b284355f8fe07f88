package import CivilTime
internal import Publish
internal import Timeline

extension AccountDatabase {
  /// Removes posts so that nothing of them is left in the file: freed pages are overwritten (`secure_delete`), the index is written
  /// anew and the log is emptied. What was removed one by one does not come back.
  package func purge(_ purge: Purge, at now: Timestamp) throws(SQLiteError) -> Purged {
    published = nil
    var purged = try connection.transaction { () throws(SQLiteError) in
      var shelf = PostShelf(connection)
      var purged = Purged()
      var pictures: Set<String> = []
      while true {
        let portion = try posts(of: purge, atMost: 500)
        if portion.isEmpty { break }
        for kept in portion {
          if kept.json != nil { purged.posts += 1 }
          pictures.formUnion(kept.post?.pictureURLs ?? [])
          if purge.leavesPlaces {
            try shelf.bury(kept, at: now)
            try shelf.notePurged(kept.id)
          } else {
            try shelf.remove(kept)
          }
        }
      }
      for kept in try hiddenPosts(of: purge) {
        purged.posts += 1
        pictures.formUnion(kept.post?.pictureURLs ?? [])
        try shelf.eraseHidden(kept.row)
        try shelf.notePurged(kept.id)
      }
      for kept in try posts(quoting: purge) {
        guard var post = kept.post else { continue }
        pictures.formUnion(post.quoted?.pictureURLs ?? [])
        if let quoted = post.quoted { try shelf.notePurged(quoted.id) }
        post.quoted = nil
        try shelf.rewrite(kept, as: post)
        purged.posts += 1
      }
      try shelf.close()
      if let begin = purge.begin(at: now) {
        try cutSpans()
        try changeState { $0.keepsFrom = max($0.keepsFrom ?? begin, begin) }
      }
      if purged.posts > 0 { try ArchiveWords(connection: connection).compact() }
      purged.pictures = pictures.sorted()
      return purged
    }
    purged.isLogCleared = try clearLog()
    return purged
  }

  /// How many posts a purge would remove or change.
  package func count(of purge: Purge) throws(SQLiteError) -> Int {
    let (condition, values) = purge.condition
    let whole = try connection.first("SELECT count(*) FROM posts WHERE post IS NOT NULL AND (\(condition))", values) {
      Int($0.integer(0))
    }
    return try (whole ?? 0) + hiddenPosts(of: purge).count + posts(quoting: purge).count
  }

  /// Brings the log into the file and empties it.
  /// - Returns: whether nobody who reads was in the way.
  package func clearLog() throws(SQLiteError) -> Bool {
    try connection.first("PRAGMA wal_checkpoint(TRUNCATE)") { $0.integer(0) } == 0
  }

  private func posts(of purge: Purge, atMost limit: Int) throws(SQLiteError) -> [PostShelf.Kept] {
    let (condition, values) = purge.condition
    // Places that are left already are no posts any more.
    let kind = purge.leavesPlaces ? "post IS NOT NULL" : "TRUE"
    return try connection.all(
      "SELECT \(PostShelf.columns) FROM posts WHERE \(kind) AND (\(condition)) LIMIT \(limit)", values
    ) { PostShelf.kept($0) }
  }

  /// The hidden posts of which a purge by id or author leaves nothing; others go with their rows. One that only quotes what is
  /// purged is erased as well.
  private func hiddenPosts(of purge: Purge) throws(SQLiteError) -> [PostShelf.Kept] {
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
    ) { PostShelf.kept($0) }
  }

  /// The posts of others that show what is purged.
  private func posts(quoting purge: Purge) throws(SQLiteError) -> [PostShelf.Kept] {
    // Those that are meant themselves are no others.
    let (own, values) = purge.condition
    let (member, value): (String, String)
    switch purge {
    case .post(let id): (member, value) = ("id", id.text)
    case .author(let name): (member, value) = ("author.screen_name", name)
    case .before, .everything: return []
    }
    return try connection.all(
      """
      SELECT \(PostShelf.columns) FROM posts
      WHERE json_extract(post, '$.quoted.\(member)') = ?2 COLLATE NOCASE AND NOT coalesce((\(own)), 0)
      """, values + [.text(value)]
    ) { PostShelf.kept($0) }
  }
}

extension Purge {
  /// Which rows are meant.
  fileprivate var condition: (String, [SQLiteValue]) {
    switch self {
    case .post(let id): ("id = ?1", [.text(id.text)])
    case .author(let name):
      (
        """
        author IN (SELECT id FROM authors WHERE screen_name = ?1)
        OR json_extract(post, '$.author.screen_name') = ?1 COLLATE NOCASE
        OR json_extract(post, '$.reposted_by.screen_name') = ?1 COLLATE NOCASE
        """, [.text(name)]
      )
    case .before(let moment): ("created_at < ?", [.integer(moment.milliseconds)])
    case .everything: ("TRUE", [])
    }
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
}
