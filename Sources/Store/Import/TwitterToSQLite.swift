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

  /// Reads all posts, the newest first.
  /// - Returns: how many there were.
  static func copy(_ file: String, _ take: (ImportedPost) throws(ImportError) -> Void) throws(ImportError) -> Int {
    let database = try TwitterToSQLite(file)
    defer { database.connection.close() }
    var count = 0
    var below: Int64?
    while true {
      let posts = try database.posts(below: below)
      // Ids that are no whole numbers could come again and again.
      guard let last = posts.last, below.map({ last.id < $0 }) ?? true else { return count }
      for post in posts { try take(post.post) }
      count += posts.count
      below = last.id
    }
  }

  private init(_ file: String) throws(ImportError) {
    self.file = file
    do {
      connection = try SQLiteConnection(file, .reading)
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
    } catch { throw Self.wrapped(error) }
  }

  /// The columns of a table; none where there is no such table.
  private struct Columns {
    private let names: Set<String>

    init(of table: String, in connection: SQLiteConnection) throws(SQLiteError) {
      names = Set(try connection.all("SELECT name FROM pragma_table_info(?)", [.text(table)]) { $0.text(0) })
    }

    func include(_ wanted: [String]) -> Bool { names.isSuperset(of: wanted) }

    func list(_ wanted: [String]) -> String {
      wanted.map { names.contains($0) ? "\"\($0)\"" : "NULL" }.joined(separator: ", ")
    }
  }

  private static func wrapped(_ error: any Error) -> ImportError {
    switch error {
    case let error as ImportError: error
    case let error as SQLiteError: .sqlite(error)
    case let error as SystemError: .system(error)
    default: preconditionFailure("a database throws three kinds of errors")
    }
  }

  /// How many rows are read at once.
  private static let step = 500

  private func posts(below id: Int64?) throws(ImportError) -> [(id: Int64, post: ImportedPost)] {
    let rows: [Tweet]
    do throws(SQLiteError) {
      rows = try connection.all(
        """
        SELECT \(tweetList) FROM tweets WHERE id < ?
        \(hasTimeline ? "AND id IN (SELECT tweet FROM timeline_tweets)" : "") ORDER BY id DESC LIMIT \(Self.step)
        """, [.integer(id ?? .max)], Tweet.init)
    } catch { throw .sqlite(error) }
    var posts: [(Int64, ImportedPost)] = []
    for row in rows { posts.append((row.id, try post(of: row))) }
    return posts
  }
}
