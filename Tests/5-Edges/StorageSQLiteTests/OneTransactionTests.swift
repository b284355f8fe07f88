import Folders
import Platform
import Storage
import StorageSQLite
import StorageTestSupport
import TestSupport
import Testing
import Time
import Timeline

@Suite struct OneTransactionTests {
  private let folder = TemporaryFolder()
  private var home: StorageHome { StorageHome(folder) }

  private func log() throws -> WALFrames {
    try #require(WALFrames(try File.read("\(home.files.database)-wal", limit: 100_000_000)))
  }

  /// Returns an open database with 200 posts and an empty log.
  private func begun() throws -> AccountDatabase {
    let first = try home.database()
    try first.insert(page(200, 1), as: .head)
    first.close()
    return try home.database()
  }

  @Test("a refresh is one transaction, however many posts it adds", arguments: [1, 20, 200])
  func oneCommit(new: Int) throws {
    let database = try begun()
    try database.insert(page(200 + new, 190), as: .head) { $0[.home].refreshedAt = noon }
    let frames = try log().frames
    #expect(frames.last?.isCommit == true)
    #expect(frames.count(where: \.isCommit) == 1)
    // A database page that changes several times within a transaction is written once.
    #expect(Set(frames.map(\.page)).count == frames.count)
    #expect(try database.countOfPosts() == 200 + new)
  }

  @Test("a refresh that removes old posts and settles its cost is still one transaction")
  func withRetention() throws {
    let database = try begun()
    let reservation = try database.reserve(posts: 20, microUSD: 100_000, at: noon)
    #expect(try log().commits == 1)
    try database.insert(
      page(220, 190), as: .head,
      settling: Settlement(reservation, posts: (190...220).map { String($0) }, microUSDPerPost: 5000),
      keeping: Retention(newest: 100)
    ) { $0[.home].refreshedAt = noon }
    #expect(try log().commits == 2)
    #expect(try database.countOfPosts() == 100)
  }

  @Test("storing a known page without changes writes nothing")
  func nothingNew() throws {
    let database = try begun()
    try database.insert(page(200, 190), as: .head)
    #expect(try FileStatus.of("\(home.files.database)-wal").size == 0)
  }

  @Test("posts with quotes do not make the search index write its entries before the end of the transaction")
  func quotes() throws {
    func frames(quoting: Bool) throws -> Int {
      let folder = TemporaryFolder()
      let database = try StorageHome(folder).database()
      let entries = (1...100).map { number in
        var post = entry(number, text: "text \(number) of a post").post
        if quoting {
          post.quoted = Post.Quote(
            id: PostID("\(9000 + number)"), createdAt: noon, author: post.author, text: "", url: nil, media: [])
        }
        return Page.Entry(post: post, key: PostKey(decimal: post.id)!)
      }
      try database.insert(Page(entries: entries, older: nil), as: .head)
      return try log(of: database).frames.count
    }
    let (with, without) = (try frames(quoting: true), try frames(quoting: false))
    // The quotes themselves need some pages.
    #expect(with < without * 2, "\(with) and \(without) pages")
  }

  private func log(of database: AccountDatabase) throws -> WALFrames {
    try #require(WALFrames(try File.read("\(database.location)-wal", limit: 100_000_000)))
  }

  @Test("two refreshes are two transactions")
  func twoCommits() throws {
    let database = try begun()
    for newest in [220, 240] { try database.insert(page(newest, 200), as: .head) }
    #expect(try log().commits == 2)
  }
}
