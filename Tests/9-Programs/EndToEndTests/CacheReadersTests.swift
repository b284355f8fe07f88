import Dispatch
import Folders
import Platform
import PublishedFiles
import Storage
import StorageFiles
import StorageSQLite
import StorageTestSupport
import TestSupport
import Testing
import Time
import Timeline

/// Programs that read a published file while it is being replaced.
@Suite(.timeLimit(.minutes(2))) struct CacheReadersTests {
  private let folder = TemporaryFolder()

  @Test(
    "jq reads the published file 1,000 times while it is replaced 1,000 times, and never sees a partial file",
    .needs("jq"))
  func jqWhileReplacing() async throws {
    let cache = PublishedCache(folder)
    try await cache.begin()
    // Each jq process opens the file twenty times, so that its start-up time does not dominate. A mixture of two files
    // could be valid JSON; the test detects it, because the head and the posts must come from the same refresh.
    let script = """
      for number in {1..50}; do
        jq '.schema == 2 and (.posts | length) == 100 and .refreshed_at == .posts[0].created_at' \
          "$0" "$0" "$0" "$0" "$0" "$0" "$0" "$0" "$0" "$0" "$0" "$0" "$0" "$0" "$0" "$0" "$0" "$0" "$0" "$0" || exit
      done
      """
    let reader = try ProgramRun(
      "bash", ["-c", script, cache.path], environment: ProgramRun.environment(home: folder.path), timeout: .seconds(100)
    )
    let replaced = try await cache.replace(atLeast: 1000) { reader.isRunning }
    let outcome = await reader.end()
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(outcome.output == String(repeating: "true\n", count: 1000))
    #expect(replaced >= 1000)
  }

  @Test(
    "Python reads every id without rounding, and never sees a partial file while the file is being replaced",
    .needs("python3"))
  func python() async throws {
    let script = """
      import json, sys
      for _ in range(200):
          with open(sys.argv[1], encoding="utf-8") as file:
              posts = json.load(file)["posts"]
          assert len(posts) == 100 and all(type(post["id"]) is str for post in posts)
      print("\\n".join(post["id"] for post in json.load(open(sys.argv[2], encoding="utf-8"))["posts"]))
      """
    try await ids(by: "python3", ["-c", script])
  }

  @Test(
    "Node reads every id without rounding, and never sees a partial file while the file is being replaced",
    .needs("node"))
  func node() async throws {
    let script = """
      const fs = require("fs"), read = path => JSON.parse(fs.readFileSync(path, "utf8")).posts;
      for (let i = 0; i < 200; i++)
        if (read(process.argv[1]).length !== 100) throw new Error("not whole");
      console.log(read(process.argv[2]).map(post => post.id).join("\\n"));
      """
    try await ids(by: "node", ["-e", script])
  }

  @Test("jq reads every id without rounding", .needs("jq"))
  func jq() async throws {
    let cache = PublishedCache(folder)
    try await cache.begin()
    let outcome = try await ProgramRun.run(
      "jq", ["-r", ".posts[].id", cache.path], environment: ProgramRun.environment(home: folder.path))
    #expect(outcome.output.split(separator: "\n").map(String.init) == PublishedCache.ids(upTo: 100))
  }

  /// Runs a reader with the paths of two files. The first file is being replaced.
  private func ids(by program: String, _ arguments: [String]) async throws {
    let moving = PublishedCache(folder)
    let resting = PublishedCache(TemporaryFolder())
    try await moving.begin()
    try await resting.begin()
    let reader = try ProgramRun(
      program, arguments + [moving.path, resting.path], environment: ProgramRun.environment(home: folder.path))
    _ = try await moving.replace(atLeast: 1) { reader.isRunning }
    let outcome = await reader.end()
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(outcome.output.split(separator: "\n").map(String.init) == PublishedCache.ids(upTo: 100))
  }
}

/// An account whose file is published repeatedly from its database, each time with one more post.
private final class PublishedCache: Sendable {
  private let folder: TemporaryFolder
  private let files: AccountFiles
  private let queue = DispatchQueue(label: "published-cache")
  /// The first id is above 2^53, as Twitter's ids are. Readers that treat such ids as numbers lose the last digits.
  private static let firstID = 1_850_000_000_025_165_849

  init(_ folder: TemporaryFolder) {
    self.folder = folder
    let home = ProgramRun.environment(home: folder.path)
    files = FileLayout(BaseDirectories(environment: home)!).files(of: "bird")
  }

  var path: String { files.timeline }

  /// Returns the ids of the newest hundred posts, newest first.
  static func ids(upTo count: Int) -> [String] { (count - 100..<count).reversed().map { String(firstID + $0) } }

  /// Publishes the first hundred posts.
  func begin() async throws {
    _ = try await work { database, publisher in
      try Self.insert(0..<100, into: database)
      try publisher.publishAll(from: database, at: Self.time(100))
      return 1
    }
  }

  /// Publishes one more post at a time, at least `count` times and as long as `isWanted` is true.
  /// - Returns: the number of times the file was published.
  func replace(atLeast count: Int, while isWanted: @escaping @Sendable () -> Bool) async throws -> Int {
    try await work { database, publisher in
      var replaced = 0
      while replaced < count || isWanted() {
        // The page includes the previous post, so it overlaps the stored posts and leaves no gap.
        try Self.insert(99 + replaced..<101 + replaced, into: database)
        try publisher.publishAll(from: database, at: Self.time(100))
        replaced += 1
      }
      return replaced
    }
  }

  private func work(
    _ body: @escaping @Sendable (AccountDatabase, TimelineFilesWriter) throws -> Int
  ) async throws -> Int {
    let files = files
    return try await withCheckedThrowingContinuation { continuation in
      queue.async {
        continuation.resume(
          with: Result {
            let database = try AccountDatabase.open(files, at: Timestamp(seconds: 1_795_161_600))
            defer { database.close() }
            return try body(
              database, TimelineFilesWriter(files, tokens: TokenStore(files), provider: "twitter", keepPosts: 100))
          })
      }
    }
  }

  private static func insert(_ numbers: Range<Int>, into database: AccountDatabase) throws {
    let entries = numbers.map { number in
      let id = PostID(String(firstID + number))
      let author = User(id: "1", screenName: "ann", name: "Ann \u{1f30a} \"水\"")
      return Page.Entry(
        post: Post(
          id: id, createdAt: time(number), author: author, text: "post \(number)\n\u{2028}\u{7f} ﬁ 日本語 \\ \" </script>"),
        key: PostKey(decimal: id)!)
    }
    try database.insert(Page(entries: entries, older: PageCursor("below")), as: .head, at: time(numbers.upperBound - 1))
    {
      $0[.home].refreshedAt = time(numbers.upperBound - 1)
    }
  }

  private static func time(_ number: Int) -> Timestamp { Timestamp(seconds: Int64(1_795_161_600 + number)) }
}
