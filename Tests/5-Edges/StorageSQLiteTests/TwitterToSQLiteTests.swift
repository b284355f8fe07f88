import Platform
import Storage
import StorageSQLite
import TestSupport
import Testing
import Time
import Timeline

/// Tables as `twitter-to-sqlite` 0.22 creates them, with rows like those in its own tests.
@Suite struct TwitterToSQLiteTests {
  private let folder = TemporaryFolder()
  private var database: String { "\(folder.path)/twitter.db" }
  private var staged: String { "\(folder.path)/import.jsonl" }

  private let tweets = """
    CREATE TABLE users (id INTEGER PRIMARY KEY, screen_name TEXT, name TEXT, description TEXT, location TEXT,
      profile_image_url_https TEXT);
    CREATE TABLE tweets (id INTEGER PRIMARY KEY, user INTEGER REFERENCES users(id), created_at TEXT, full_text TEXT,
      retweeted_status INTEGER REFERENCES tweets(id), quoted_status INTEGER REFERENCES tweets(id), place TEXT, source TEXT,
      in_reply_to_status_id TEXT, in_reply_to_screen_name TEXT, retweet_count INTEGER, favorite_count INTEGER, lang TEXT);
    INSERT INTO users VALUES (12497, 'simonw', 'Simon', '', '', 'https://example.org/s.jpg');
    INSERT INTO users VALUES (22737278, 'drvox', 'David', '', '', NULL);
    INSERT INTO tweets VALUES (1169242008432644000, 22737278, '2019-09-04T13:33:12+00:00', 'the whole text & more',
      NULL, 861696799362478100, NULL, 'x', NULL, NULL, 42, 86, 'en');
    INSERT INTO tweets VALUES (1169246717864136700, 12497, '2019-09-04T13:51:55+00:00', 'RT @drvox: the whole…',
      1169242008432644000, NULL, NULL, 'y', NULL, NULL, 42, 0, 'en');
    INSERT INTO tweets VALUES (861696799362478100, 12497, '2017-05-08T21:38:21+00:00', 'quoted',
      NULL, NULL, NULL, 'z', '1169079390577320000', 'scientiffic', 14, 57, 'und');
    """

  private let media = """
    CREATE TABLE media (id INTEGER PRIMARY KEY, id_str TEXT, media_url_https TEXT, type TEXT);
    CREATE TABLE media_tweets (media_id INTEGER, tweets_id INTEGER, PRIMARY KEY (media_id, tweets_id));
    INSERT INTO media VALUES (5, '5', 'https://pbs.example.org/m.jpg', 'photo');
    INSERT INTO media_tweets VALUES (5, 861696799362478100);
    """

  private func stage(_ sql: String) async throws -> [ImportedPost] {
    let outcome = try await ProgramRun.run("sqlite3", [database, sql], environment: ["PATH": "/usr/bin:/bin"])
    try #require(outcome.code == 0, "\(outcome.error)")
    let count = try ImportFile.stage(database, to: staged)
    let posts = StagedPosts(staged)
    let all = try posts.next(10_000)
    #expect(all.count == count)
    return all
  }

  @Test("tweets are imported newest first, with authors, originals, quotes, media and counts")
  func all() async throws {
    let posts = try await stage(tweets + media)
    #expect(posts.map(\.id.text) == ["1169246717864136700", "1169242008432644000", "861696799362478100"])
    let repost = try #require(posts[0].post)
    #expect(repost.author == User(id: "22737278", screenName: "drvox", name: "David"))
    #expect(repost.repostedBy?.avatarURL == "https://example.org/s.jpg")
    #expect(repost.text == "the whole text & more")
    #expect(repost.createdAt == Timestamp(rfc3339: "2019-09-04T13:51:55Z"))
    #expect(repost.url == "https://twitter.com/drvox/status/1169242008432644000")
    #expect(repost.counts == Post.Counts(reposts: 42, likes: 86))
    #expect(repost.quoted?.text == "quoted")
    #expect(repost.quoted?.media == [Media(kind: .photo, url: "https://pbs.example.org/m.jpg")])
    let last = try #require(posts[2].post)
    #expect(last.inReplyTo == Post.Reply(id: PostID("1169079390577320000"), screenName: "scientiffic"))
    #expect(last.language == nil)
    #expect(posts[2].key == PostKey(decimal: last.id))
  }

  @Test("if there is a home timeline, only tweets from it are imported")
  func timeline() async throws {
    let posts = try await stage(
      tweets + "CREATE TABLE timeline_tweets (user INTEGER, tweet INTEGER, PRIMARY KEY (user, tweet));"
        + "INSERT INTO timeline_tweets VALUES (12497, 1169246717864136700);")
    #expect(posts.map(\.id.text) == ["1169246717864136700"])
    #expect(posts[0].post?.text == "the whole text & more")
  }

  @Test("tweets that do not fit in one batch are imported only once")
  func many() async throws {
    let posts = try await stage(
      tweets + "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)"
        + "INSERT INTO tweets (id, user, created_at, full_text) SELECT i, 12497, '2019-09-04T13:51:55+00:00', 't' FROM n;"
    )
    #expect(posts.count == 1203)
    #expect(Set(posts.map(\.id)).count == 1203)
    #expect(posts.map(\.key) == posts.map(\.key).sorted(by: >))
  }

  @Test("a database with only the oldest columns, or without all users, can be imported")
  func oldest() async throws {
    let posts = try await stage(
      """
      CREATE TABLE users (id INTEGER PRIMARY KEY, screen_name TEXT, name TEXT);
      CREATE TABLE tweets (id INTEGER PRIMARY KEY, user INTEGER, created_at TEXT, full_text TEXT);
      INSERT INTO tweets VALUES (1, 9, '2019-09-04T13:51:55+00:00', 'old');
      """)
    #expect(posts.map(\.post?.author) == [User(id: "9", screenName: "", name: "")])
    #expect(posts.map(\.post?.url) == [nil])
  }

  @Test("another program's database and a tweet without a time are refused with a reason")
  func refused() async throws {
    await #expect(throws: ImportError.otherDatabase(database)) { try await stage("CREATE TABLE notes (id INTEGER);") }
    try File.remove(database)
    let error = await #expect(throws: ImportError.self) {
      try await stage(tweets + "UPDATE tweets SET created_at = 'once' WHERE id = 861696799362478100;")
    }
    #expect(error?.description.contains("tweet 861696799362478100: 'created_at' should be a time") == true)
    #expect(!File.exists(staged))
  }

  @Test("tweet ids that are not integers do not cause an endless loop")
  func fractions() async throws {
    let posts = try await stage(
      """
      CREATE TABLE users (id, screen_name, name);
      CREATE TABLE tweets (id REAL, user, created_at, full_text);
      INSERT INTO tweets VALUES (-0.5, 9, '2019-09-04T13:51:55+00:00', 'odd');
      """)
    #expect(posts.count <= 1)
  }
}
