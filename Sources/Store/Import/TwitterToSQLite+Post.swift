internal import CivilTime
internal import Timeline

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
    do throws(SQLiteError) {
      return try connection.first("SELECT \(tweetList) FROM tweets WHERE id = ?", [.integer(id)], Tweet.init)
    } catch { throw ImportError(error) }
  }

  /// One of whom nothing is known has no name.
  private func user(_ id: Int64) throws(ImportError) -> User {
    do throws(SQLiteError) {
      let known = try connection.first("SELECT \(userList) FROM users WHERE id = ?", [.integer(id)]) { row in
        User(id: String(id), screenName: row.text(0), name: row.text(1), avatarURL: row.textOrNull(2))
      }
      return known ?? User(id: String(id), screenName: "", name: "")
    } catch { throw ImportError(error) }
  }

  private func media(of id: Int64) throws(ImportError) -> [Media] {
    guard hasMedia else { return [] }
    do throws(SQLiteError) {
      return try connection.all(
        """
        SELECT \(mediaList) FROM media WHERE id IN (SELECT media_id FROM media_tweets WHERE tweets_id = ?) ORDER BY id
        """, [.integer(id)]
      ) { row in
        Media(kind: Media.Kind(rawValue: row.text(0)) ?? .other, url: row.text(1), alternativeText: row.textOrNull(2))
      }
    } catch { throw ImportError(error) }
  }
}
