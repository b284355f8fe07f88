internal import Platform
internal import Storage
internal import Time
internal import Timeline

/// A database created by dogsheep/twitter-to-sqlite (its `utils.py`, versions 0.3 to 0.22) with the tables `tweets`, `users`, and later
/// `media` and `media_tweets`. Links in its texts are expanded, and entities are decoded.
///
/// If `timeline_tweets` exists, only posts from the home timeline are imported. Otherwise all posts are imported, including posts that
/// appeared only inside other posts, because the two cannot be distinguished.
struct TwitterToSQLite {
  let connection: SQLiteConnection
  let file: String
  let hasMedia: Bool
  /// The columns to select from each table, with NULL for each column that this file lacks.
  let tweetList, userList, mediaList: String
  private let hasTimeline: Bool
  /// The maximum size in bytes of all texts in `tweets`. The conversion from UTF-16 adds at most half, and a byte of a number becomes three
  /// digits. Corrupt rows can overlap and thus contain more bytes than the file.
  private let byteLimit: Int

  /// Reads all posts, newest first.
  /// - Returns: the number of posts.
  static func copy(_ file: String, _ take: (ImportedPost) throws(ImportError) -> Void) throws(ImportError) -> Int {
    let database = try TwitterToSQLite(file)
    defer { database.connection.close() }
    var count = 0
    var below: Int64?
    var remainingBytes = database.byteLimit
    while true {
      let tweets = try database.tweets(below: below, within: &remainingBytes)
      // Rows with ids that are not integers could be returned repeatedly.
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
    default: preconditionFailure("a database throws three types of errors")
    }
  }

  /// The number of rows read together, and the size of their text in bytes.
  private static let step = 500
  private static let stepBytes = 64 << 20

  /// Reads the next rows of `tweets`.
  /// - Parameter remainingBytes: the number of text bytes that may still be read.
  private func tweets(below id: Int64?, within remainingBytes: inout Int) throws(ImportError) -> [Tweet] {
    var rows: [Tweet] = []
    var left = min(remainingBytes, Self.stepBytes)
    do throws(StorageError) {
      try connection.run(
        """
        SELECT \(tweetList) FROM tweets WHERE id < ?
        \(hasTimeline ? "AND id IN (SELECT tweet FROM timeline_tweets)" : "") ORDER BY id DESC LIMIT \(Self.step)
        """, [.integer(id ?? .max)]
      ) { row in
        let tweet = Tweet(row)
        left -= tweet.byteCount
        remainingBytes -= tweet.byteCount
        if left >= 0 { rows.append(tweet) }
      }
    } catch { throw ImportError(error, reading: file) }
    guard left >= 0 else {
      throw .unfitDatabase(
        file, "its tweets contain more text than the file has bytes, or more than a tweet can have: the file is corrupt"
      )
    }
    return rows
  }
}

extension ImportError {
  /// Converts an error from reading a foreign database.
  init(_ error: StorageError, reading file: String) {
    let reason: String
    if error.kind == .tooLarge {
      reason =
        "a value or a row is larger than \(SQLiteRestrictions.foreignLength >> 10) KiB, which is too large for a tweet"
    } else if error.kind == .interrupted {
      reason =
        "reading it takes far more steps than a file of its size should need: it is corrupt or malicious"
    } else if error.kind == .damaged {
      reason =
        "it is corrupt (\(error.detail ?? error.message)): use another copy, or the output of \"sqlite3 FILE .recover\""
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
    let reposts: Int?
    let likes: Int?

    /// The size of its texts in bytes.
    var byteCount: Int {
      [createdAt, text, language ?? "", inReplyTo ?? "", inReplyToName ?? ""].reduce(0) { $0 + $1.utf8.count }
    }

    /// The columns in the order of the members. Columns that an earlier version lacked are NULL.
    static let columns = [
      "id", "user", "created_at", "full_text", "retweeted_status", "quoted_status", "lang", "in_reply_to_status_id",
      "in_reply_to_screen_name", "retweet_count", "favorite_count",
    ]

    init(_ row: borrowing SQLiteRow) {
      id = Self.id(row, 0)
      userID = Self.id(row, 1)
      createdAt = row.text(2)
      text = row.text(3)
      reposted = row.isNull(4) ? nil : Self.id(row, 4)
      quoted = row.isNull(5) ? nil : Self.id(row, 5)
      language = row.textOrNull(6)
      inReplyTo = row.textOrNull(7)
      inReplyToName = row.textOrNull(8)
      reposts = row.amountOrNull(9)
      likes = row.amountOrNull(10)
    }

    /// Reads an id, which is only compared and written.
    private static func id(_ row: borrowing SQLiteRow, _ column: Int32) -> Int64 {
      row.integer(column, in: Int64.min...Int64.max)
    }
  }

  /// Converts the row to a post. A repost keeps its own id and time; all other data comes from the reposted tweet.
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
      counts: Post.Counts(reposts: shown.reposts, likes: shown.likes))
    guard let key = PostKey(decimal: post.id) else { throw .row(file, tweet.id, "its id is not a decimal number") }
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

  /// Returns the user; an unknown user has no name.
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
  /// The columns of a table. Views, virtual tables and generated columns are refused, because reading them would evaluate expressions from
  /// the file.
  struct Columns {
    private let names: Set<String>

    /// Reads the columns of a table; none if the table does not exist.
    init(of table: String, in connection: SQLiteConnection) throws {
      let kinds = try connection.all(
        "SELECT type, sql FROM sqlite_schema WHERE name = ? COLLATE NOCASE AND type NOT IN ('index', 'trigger')",
        [.text(table)]
      ) { row in Self.kind(type: row.text(0), sql: row.text(1)) }
      if let other = kinds.first(where: { $0 != "table" }) {
        throw ImportError.unfitDatabase(
          connection.path, "\(table) is a \(other), but twitter-to-sqlite creates an ordinary table")
      }
      var names: Set<String> = []
      var computed: String?
      // This is a PRAGMA statement, because a file could contain a table named `pragma_table_xinfo`.
      try connection.run("PRAGMA table_xinfo(\"\(table)\")") { row in
        names.insert(row.text(1))
        if row.amount(6) > 1 { computed = row.text(1) }
      }
      if let computed {
        throw ImportError.unfitDatabase(
          connection.path,
          "the column \(computed) of the table \(table) is generated, but twitter-to-sqlite stores its values"
        )
      }
      self.names = names
    }

    func include(_ wanted: [String]) -> Bool { names.isSuperset(of: wanted) }

    func list(_ wanted: [String]) -> String {
      wanted.map { names.contains($0) ? "\"\($0)\"" : "NULL" }.joined(separator: ", ")
    }

    /// Returns the kind of a schema entry. In a malicious file, the type column can contain anything, so the statement is inspected too.
    private static func kind(type: String, sql: String) -> String {
      let statement = sql.uppercased()
      if statement.hasPrefix("CREATE TABLE") { return type == "table" ? type : "\(type) and a table" }
      return statement.hasPrefix("CREATE VIRTUAL")
        ? "virtual table" : type == "table" ? "table of an unknown kind" : type
    }
  }
}
