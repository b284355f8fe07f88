import Bytes
import Folders
import Formats
import HomelineOAuth
import Platform
import Providers
import Storage
import StorageSQLite
import StorageTestSupport
import TestSupport
import Testing
import Time
import Timeline

/// Servers that change a post's id when it is edited, and what is published from their responses.
@Suite struct ChangedIDTests {
  /// A status as its server returns it.
  private struct Status {
    var id: String
    var uri: String
    var url: String?
    var text: String
    var second = 10

    var json: String {
      #"""
      {"id":"\#(id)","created_at":"2026-11-20T15:59:\#(second < 10 ? "0" : "")\#(second)Z","uri":"\#(uri)",
      "url":\#(url.map { "\"\($0)\"" } ?? "null"),"edited_at":null,"content":"<p>\#(text)</p>",
      "account":{"id":"7","username":"ann","acct":"ann"}}
      """#
    }
  }

  private let folder = TemporaryFolder()
  private let provider = try! Mastodon(at: ProviderLocation(.oauth2, at: RequestURL("https://snac.example")))!
  private static let now = Timestamp(rfc3339: "2026-11-20T16:00:00Z")!

  private func database() throws -> AccountDatabase {
    let folders = try #require(BaseDirectories(environment: ["HOME": folder.path]))
    return try AccountDatabase.open(FileLayout(folders).files(of: "ann"), at: Self.now)
  }

  private func take(_ statuses: [Status], _ database: AccountDatabase, older: PageCursor? = nil) throws {
    try take(json: statuses.map(\.json).joined(separator: ","), database, older: older)
  }

  private func take(json: String, _ database: AccountDatabase, older: PageCursor? = nil) throws {
    let query = TimelineQuery(older: older, count: 40)
    let body = "[" + json + "]"
    let response = ProviderResponse(status: 200, body: Array(body.utf8), receivedAt: Self.now, hiding: .nothing)
    guard case .page(let fetched) = try provider.page(from: response, for: query) else {
      throw ProviderFailure.unreadable("no page")
    }
    try database.insert(fetched.page, as: older.map { .continuing($0) } ?? .head, at: Self.now)
  }

  private func texts(_ database: AccountDatabase) throws -> [String] {
    try database.newestPosts(100, of: .home).map { try PostJSON.read($0.json).text }
  }

  /// Returns an id as in snac, which consists of a time with ten digits and the MD5 of the address.
  private static func id(_ time: Int, _ letter: Character) -> String {
    "\(time)" + String(repeating: letter, count: 32)
  }

  @Test("a post edited repeatedly on snac remains a single post, with its newest id and text")
  func edited() throws {
    let database = try database()
    var status = Status(id: Self.id(1_795_190_310, "a"), uri: "https://snac.example/ann/p/1", text: "first")
    status.url = status.uri
    let other = Status(
      id: Self.id(1_795_190_305, "b"), uri: "https://snac.example/ann/p/0", text: "other", second: 5)
    try take([status, other], database)
    for (time, text) in [(1_795_190_350, "second"), (1_795_190_390, "third")] {
      status.id = Self.id(time, "a")
      status.text = text
      try take([status, other], database)
    }
    #expect(try texts(database) == ["third", "other"])
    #expect(try database.newestPosts(1, of: .home)[0].mark.id.text == Self.id(1_795_190_390, "a"))
  }

  @Test(
    "snac's posts are identified by their url, but other servers' posts are not",
    arguments: [true, false])
  func sameURL(isSnac: Bool) throws {
    let database = try database()
    let ids = isSnac ? [Self.id(1_795_190_310, "a"), Self.id(1_795_190_350, "a")] : ["opaque-1", "opaque-2"]
    for (number, id) in ids.enumerated() {
      try take([Status(id: id, uri: "tag:\(number)", url: "https://snac.example/p/1", text: "\(number)")], database)
    }
    #expect(try texts(database).sorted() == (isSnac ? ["1"] : ["0", "1"]))
  }

  @Test("on snac, a boosted post turns into its boost and back again, and stays a single post")
  func boosted() throws {
    let database = try database()
    let id = "1795190355a1b7c4d2e8f09b3c5d6e7f8091a2b3c4"
    var plain = Status(
      id: id, uri: "https://snac.example/kim/p/1795190355.254827", url: "https://snac.example/kim/p/1795190355.254827",
      text: "Good morning.")
    try take([plain], database)
    let boost = plain.json.dropLast().replacing("/kim/p/1795190355.254827\",\n", with: "/Announce\",\n")
      .replacing(id, with: id.uppercased()).replacing("\"ann\"", with: "\"noor\"")
    try take(json: boost + ",\"reblog\":\(plain.json)}", database)
    let shown = try database.newestPosts(10, of: .home).map { try PostJSON.read($0.json) }
    #expect(shown.map(\.repostedBy?.screenName) == ["noor"] && shown.map(\.author.screenName) == ["ann"])
    #expect(shown.map(\.id.text) == [id], "the id that the server knows after the boost is taken back")
    try take([plain], database)
    #expect(try database.newestPosts(10, of: .home).map { try PostJSON.read($0.json).repostedBy } == [nil])
    plain.text = "Good evening."
    try take([plain], database)
    #expect(try texts(database) == ["Good evening."])
  }

  @Test("posts with the same uri are the same post under any id, even where ids define the order")
  func sameURI() throws {
    let database = try database()
    for id in ["115600000000000200", "115600000000000300"] {
      try take([Status(id: id, uri: "https://social.example/s/1", text: id)], database)
    }
    #expect(try texts(database) == ["115600000000000300"])
  }

  @Test("posts from the same second keep the server's order across pages and later refreshes")
  func sameSecond() throws {
    let database = try database()
    let letters: [Character] = ["3", "f", "0", "a", "9", "1"]
    let all = letters.map { letter in
      Status(id: Self.id(1_795_190_310, letter), uri: "https://snac.example/\(letter)", text: String(letter))
    }
    try take(Array(all[2...3]), database)
    try take(Array(all[0...3]), database)
    let cursor = try #require(try database.spans(of: .home).bottom?.older)
    try take(Array(all[4...5]), database, older: cursor)
    #expect(try texts(database) == letters.map { String($0) })
    #expect(try database.spans(of: .home).all.count == 1)
  }
}
