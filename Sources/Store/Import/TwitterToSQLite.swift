internal import Platform

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
      byteLimit = try 4 * (FileFacts.of(file).size + (File.exists(log) ? FileFacts.of(log).size : 0)) + 1 << 20
    } catch { throw Self.wrapped(error) }
  }

  private static func wrapped(_ error: any Error) -> ImportError {
    switch error {
    case let error as ImportError: error
    case let error as SQLiteError: ImportError(error)
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
    do throws(SQLiteError) {
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
    } catch { throw ImportError(error) }
    guard left >= 0 else {
      throw .unfitDatabase(
        file, "its tweets have more text than tweets have, or than the file has bytes: it is damaged")
    }
    return rows
  }
}

extension ImportError {
  /// What went wrong while a foreign database was read.
  init(_ error: SQLiteError) {
    let reason: String
    if error.isTooLarge {
      reason = "a value or a row of it is larger than \(SQLiteDefences.foreignLength >> 10) KiB, and no tweet is"
    } else if error.isInterrupted {
      reason =
        "reading it takes far more steps than a file of its size can need: it is damaged, or made to keep readers busy"
    } else if error.isDamage {
      reason =
        "it is damaged (\(error.message)): take another copy of it, or what \"sqlite3 FILE .recover\" makes of it"
    } else if error.isRefusal {
      reason = "its tables are not those of twitter-to-sqlite (\(error.message))"
    } else {
      self = .sqlite(error)
      return
    }
    self = .unfitDatabase(error.file, reason)
  }
}
