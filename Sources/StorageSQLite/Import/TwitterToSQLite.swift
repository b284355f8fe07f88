internal import CivilTime
internal import Platform
internal import SQLite
internal import Storage
internal import Timeline

/// The database of dogsheep/twitter-to-sqlite (its `utils.py`, from 0.3 to 0.22): tables `tweets`, `users`, later `media` and
/// `media_tweets`. Links in its texts are expanded, entities decoded.
///
/// With `timeline_tweets` the posts of the home timeline alone are taken, without it all: which of them stood in a timeline of
/// their own, and which only inside another one, is then not told.
struct TwitterToSQLite {
  let connection: SQLiteConnection
  let file: String
  let hasMedia: Bool
  /// What is selected of each table: names of columns, or NULL for one that this file does not have.
  let tweetList, userList, mediaList: String
  private let hasTimeline: Bool
  /// How many bytes all texts of `tweets` can have at most: UTF-16 becomes at most half as long again, and a number of a byte three
  /// digits. Damaged rows can overlap, so that there are more of them than there are bytes.
  private let byteLimit: Int

  /// Reads all posts, the newest first.
  /// - Returns: how many there were.
  static func copy(_ file: String, _ take: (ImportedPost) throws(ImportError) -> Void) throws(ImportError) -> Int {
    let database = try TwitterToSQLite(file)
    defer { database.connection.close() }
    var count = 0
    var below: Int64?
    var room = database.byteLimit
    while true {
      let tweets = try database.tweets(below: below, within: &room)
      // Ids that are no whole numbers could come again and again.
      guard let last = tweets.last, below.map({ last.id < $0 }) ?? true else { return count }
      for tweet in tweets { try take(database.post(of: tweet)) }
      count += tweets.count
      below = last.id
    }
  }

  private init(_ file: String) throws(ImportError) {
    self.file = file
    do {
      connection = try SQLiteConnection(file, .foreign)
      let tweets = try Columns(of: "tweets", in: connection)
      let users = try Columns(of: "users", in: connection)
      let media = try Columns(of: "media", in: connection)
      guard tweets.include(["id", "user", "created_at", "full_text"]), users.include(["id", "screen_name", "name"])
      else { throw ImportError.otherDatabase(file) }
      hasMedia =
        try media.include(["id", "type", "media_url_https"])
        && Columns(of: "media_tweets", in: connection).include(["media_id", "tweets_id"])
      hasTimeline = try Columns(of: "timeline_tweets", in: connection).include(["tweet"])
      tweetList = tweets.list(Tweet.columns)
      userList = users.list(["screen_name", "name", "profile_image_url_https"])
      mediaList = media.list(["type", "media_url_https", "ext_alt_text"])
      let log = "\(file)-wal"
      byteLimit = try 4 * (FileStatus.of(file).size + (File.exists(log) ? FileStatus.of(log).size : 0)) + 1 << 20
    } catch { throw Self.wrapped(error, file) }
  }

  private static func wrapped(_ error: any Error, _ file: String) -> ImportError {
    switch error {
    case let error as ImportError: error
    case let error as StorageError: ImportError(error, reading: file)
    case let error as SystemError: .system(error)
    default: preconditionFailure("a database throws three kinds of errors")
    }
  }

  /// How many rows are read at once, and how many bytes of text they may have: an eighth of a megabyte each.
  private static let step = 500
  private static let stepBytes = 64 << 20

  /// - Parameter room: how many bytes of text may still come.
  private func tweets(below id: Int64?, within room: inout Int) throws(ImportError) -> [Tweet] {
    var rows: [Tweet] = []
    var left = min(room, Self.stepBytes)
    do throws(StorageError) {
      try connection.run(
        """
        SELECT \(tweetList) FROM tweets WHERE id < ?
        \(hasTimeline ? "AND id IN (SELECT tweet FROM timeline_tweets)" : "") ORDER BY id DESC LIMIT \(Self.step)
        """, [.integer(id ?? .max)]
      ) { row in
        let tweet = Tweet(row)
        left -= tweet.byteCount
        room -= tweet.byteCount
        if left >= 0 { rows.append(tweet) }
      }
    } catch { throw ImportError(error, reading: file) }
    guard left >= 0 else {
      throw .unfitDatabase(
        file, "its tweets have more text than tweets have, or than the file has bytes: it is damaged")
    }
    return rows
  }
}

extension ImportError {
  /// What went wrong while a foreign database was read.
  init(_ error: StorageError, reading file: String) {
    let reason: String
    if error.kind == .tooLarge {
      reason = "a value or a row of it is larger than \(SQLiteDefences.foreignLength >> 10) KiB, and no tweet is"
    } else if error.kind == .interrupted {
      reason =
        "reading it takes far more steps than a file of its size can need: it is damaged, or made to keep readers busy"
    } else if error.kind == .damaged {
      reason =
        "it is damaged (\(error.detail ?? error.message)): take another copy of it, or what \"sqlite3 FILE .recover\" makes of it"
    } else if error.kind == .unsupported {
      reason = "its tables are not those of twitter-to-sqlite (\(error.detail ?? error.message))"
    } else {
      self = .storage(error)
      return
    }
    self = .unfitDatabase(file, reason)
  }
}

extension TwitterToSQLite {
  /// A row of `tweets`.
  struct Tweet {
    let id: Int64
    let userID: Int64
    let createdAt: String
    let text: String
    let reposted: Int64?
    let quoted: Int64?
    let language: String?
    let inReplyTo: String?
    let inReplyToName: String?
    let reposts: Int64?
    let likes: Int64?

    /// Of its texts.
    var byteCount: Int {
      [createdAt, text, language ?? "", inReplyTo ?? "", inReplyToName ?? ""].reduce(0) { $0 + $1.utf8.count }
    }

    /// The columns in the order of the members; those that a version before did not have are NULL.
    static let columns = [
      "id", "user", "created_at", "full_text", "retweeted_status", "quoted_status", "lang", "in_reply_to_status_id",
      "in_reply_to_screen_name", "retweet_count", "favorite_count",
    ]

    init(_ row: borrowing SQLiteRow) {
      id = row.integer(0)
      userID = row.integer(1)
      createdAt = row.text(2)
      text = row.text(3)
      reposted = row.integerOrNull(4)
      quoted = row.integerOrNull(5)
      language = row.textOrNull(6)
      inReplyTo = row.textOrNull(7)
      inReplyToName = row.textOrNull(8)
      reposts = row.integerOrNull(9)
      likes = row.integerOrNull(10)
    }
  }

  /// The row as a post. Of a repost the id and the time are its own, all else is what was reposted.
  func post(of tweet: Tweet) throws(ImportError) -> ImportedPost {
    let original = try tweet.reposted.flatMap(row)
    let shown = original ?? tweet
    let author = try user(shown.userID)
    let post = Post(
      id: PostID(String(tweet.id)), createdAt: try time(of: tweet), author: author, text: shown.text,
      url: Self.url(of: shown, by: author), language: shown.language.flatMap { $0 == "und" ? nil : $0 },
      repostedBy: original == nil ? nil : try user(tweet.userID),
      inReplyTo: shown.inReplyTo.map { Post.Reply(id: PostID($0), screenName: shown.inReplyToName) },
      quoted: try shown.quoted.flatMap(row).map(quote), media: try media(of: shown.id),
      counts: Post.Counts(reposts: shown.reposts.map(Int.init), likes: shown.likes.map(Int.init)))
    guard let key = PostKey(decimal: post.id) else { throw .row(file, tweet.id, "its id is no decimal number") }
    return ImportedPost(post, key: key)
  }

  private func quote(_ tweet: Tweet) throws(ImportError) -> Post.Quote {
    let author = try user(tweet.userID)
    return Post.Quote(
      id: PostID(String(tweet.id)), createdAt: try time(of: tweet), author: author, text: tweet.text,
      url: Self.url(of: tweet, by: author), media: try media(of: tweet.id))
  }

  private func time(of tweet: Tweet) throws(ImportError) -> Timestamp {
    guard let time = Timestamp(rfc3339: tweet.createdAt) else {
      throw .row(file, tweet.id, "'created_at' should be a time such as 2026-11-20T16:00:00+00:00")
    }
    return time
  }

  private static func url(of tweet: Tweet, by author: User) -> String? {
    author.screenName.isEmpty ? nil : "https://twitter.com/\(author.screenName)/status/\(tweet.id)"
  }

  private func row(_ id: Int64) throws(ImportError) -> Tweet? {
    do throws(StorageError) {
      return try connection.first("SELECT \(tweetList) FROM tweets WHERE id = ?", [.integer(id)], Tweet.init)
    } catch { throw ImportError(error, reading: file) }
  }

  /// One of whom nothing is known has no name.
  private func user(_ id: Int64) throws(ImportError) -> User {
    do throws(StorageError) {
      let known = try connection.first("SELECT \(userList) FROM users WHERE id = ?", [.integer(id)]) { row in
        User(id: String(id), screenName: row.text(0), name: row.text(1), avatarURL: row.textOrNull(2))
      }
      return known ?? User(id: String(id), screenName: "", name: "")
    } catch { throw ImportError(error, reading: file) }
  }

  private func media(of id: Int64) throws(ImportError) -> [Media] {
    guard hasMedia else { return [] }
    do throws(StorageError) {
      return try connection.all(
        """
        SELECT \(mediaList) FROM media WHERE id IN (SELECT media_id FROM media_tweets WHERE tweets_id = ?) ORDER BY id
        """, [.integer(id)]
      ) { row in
        Media(kind: Media.Kind(rawValue: row.text(0)) ?? .other, url: row.text(1), alternativeText: row.textOrNull(2))
      }
    } catch { throw ImportError(error, reading: file) }
  }
}

extension TwitterToSQLite {
  /// The columns of a table, which has to be one: what a view, a virtual table or a generated column holds is computed as it is read, by
  /// whatever the file says.
  struct Columns {
    private let names: Set<String>

    /// None where there is no such table.
    init(of table: String, in connection: SQLiteConnection) throws {
      let kinds = try connection.all(
        "SELECT type, sql FROM sqlite_schema WHERE name = ? COLLATE NOCASE AND type NOT IN ('index', 'trigger')",
        [.text(table)]
      ) { row in Self.kind(type: row.text(0), sql: row.text(1)) }
      if let other = kinds.first(where: { $0 != "table" }) {
        throw ImportError.unfitDatabase(
          connection.path, "\(table) is a \(other), where twitter-to-sqlite has a table of rows that are stored")
      }
      var names: Set<String> = []
      var computed: String?
      // A statement of its own and no `pragma_table_xinfo`, which a file could have a table of its own for.
      try connection.run("PRAGMA table_xinfo(\"\(table)\")") { row in
        names.insert(row.text(1))
        if row.integer(6) > 1 { computed = row.text(1) }
      }
      if let computed {
        throw ImportError.unfitDatabase(
          connection.path,
          "the column \(computed) of the table \(table) is generated, where twitter-to-sqlite has values that are stored"
        )
      }
      self.names = names
    }

    func include(_ wanted: [String]) -> Bool { names.isSuperset(of: wanted) }

    func list(_ wanted: [String]) -> String {
      wanted.map { names.contains($0) ? "\"\($0)\"" : "NULL" }.joined(separator: ", ")
    }

    /// What stands in the schema; its type is a word of the file's, what is read is the statement.
    private static func kind(type: String, sql: String) -> String {
      let statement = sql.uppercased()
      if statement.hasPrefix("CREATE TABLE") { return type == "table" ? type : "\(type) and a table" }
      return statement.hasPrefix("CREATE VIRTUAL") ? "virtual table" : type == "table" ? "table that is none" : type
    }
  }
}
