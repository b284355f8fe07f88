import Folders
import Glibc
import Platform
import Storage
import StorageSQLite
import StorageTestSupport
import TestSupport
import Testing
import Time
import Timeline

/// `homeline search`, `homeline export` and `homeline check --archive`.
@Suite struct ArchiveCommandsTests {
  // MARK: Search

  @Test("`homeline search` prints matches newest first, and names the account of each if there are several accounts")
  func searchText() async throws {
    let archives = try ArchiveFixture()
    try archives.fill("bird", ["an apple pie", "no fruit", "apple tart"])
    let one = try await archives.home.run("search", "apple")
    #expect(one.code == 0)
    #expect(one.error == "")
    let lines = one.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 6 && lines[1] == "  apple tart" && lines[2] == "" && lines[4] == "  an apple pie")
    #expect(lines[0].hasPrefix("Mira @mira_demo · "))
    try archives.fill("other", ["another apple"], from: 2)
    let two = try await archives.home.run("search", "apple")
    let heads = two.output.split(separator: "\n").filter { $0.contains("@mira_demo") }
    #expect(heads.map { $0.split(separator: " · ").last } == ["bird", "other", "bird"])
    let limited = try await archives.home.run("search", "--limit", "1", "--account", "other", "apple")
    #expect(limited.output.contains("another apple"))
    #expect(!limited.output.contains("tart"))
  }

  @Test("In languages without spaces, `homeline search` finds text by one or two of its characters")
  func searchCJK() async throws {
    let archives = try ArchiveFixture()
    try archives.fill("bird", ["新手机店开门", "東京都に行く", "nothing of it"])
    for (query, text) in [("手机", "新手机店开门"), ("京都", "東京都に行く"), ("店", "新手机店开门")] {
      let outcome = try await archives.home.run("search", query)
      #expect(outcome.output.contains(text), "\(query)")
      #expect(!outcome.output.contains("nothing of it"))
    }
  }

  @Test("`homeline search --threads --ids` adds the answered posts from the archive and cuts off a long chain")
  func searchThreads() async throws {
    let archives = try ArchiveFixture()
    try archives.fillChain("bird", 1...40)
    let short = try await archives.home.run("search", "--threads", "--ids", "\"post 3\"")
    let texts = short.output.split(separator: "\n").filter { $0.contains("post ") || $0.contains(" id ") }
    #expect(texts == ["  post 1", "  id 1", "    post 2", "    id 2", "      post 3", "      id 3"])
    let long = try await archives.home.run("search", "--threads", "\"post 40\"").output.split(separator: "\n")
    let numbers = long.compactMap { line in line.firstRange(of: "post ").flatMap { Int(line[$0.upperBound...]) } }
    #expect(numbers == Array(20...40))
    #expect(long[1] == "  in reply to @mira_demo")
    // Replies below the eighth are not indented further.
    #expect(long.last == "                  post 40" && long.contains("                  post 28"))
    let refused = try await archives.home.run("search", "--threads", "--format", "json", "post")
    #expect(refused.code == 64 && refused.error.contains("--threads is only for --format text"))
  }

  @Test("`homeline search --format json` and `jsonl` print each post as stored, and add its account")
  func searchJSON() async throws {
    let archives = try ArchiveFixture()
    try archives.fill("bird", ["apple one", "apple two"])
    let lines = try await archives.home.run("search", "--format", "jsonl", "apple").output.split(separator: "\n")
    #expect(try lines.map { try JSONValue(Array($0.utf8))["text"].text } == ["apple two", "apple one"])
    #expect(try lines.map { try JSONValue(Array($0.utf8))["account"].text } == ["bird", "bird"])
    let array = try JSONValue(
      Array(try await archives.home.run("search", "--format", "json", "apple").output.utf8))
    #expect(array.items.map { $0["id"].text } == ["2", "1"])
    let none = try await archives.home.run("search", "--format", "json", "pear")
    #expect(try JSONValue(Array(none.output.utf8)).items.isEmpty)
  }

  @Test("If no post matches, `homeline search` reports this on standard error and exits with 0")
  func nothingFound() async throws {
    let archives = try ArchiveFixture()
    try archives.fill("bird", ["apple"])
    let outcome = try await archives.home.run("search", "pear")
    #expect(outcome.code == 0)
    #expect(outcome.output == "")
    #expect(outcome.error == "homeline: no posts found\n")
  }

  @Test(
    "`homeline search` exits with 64 and the error's position for a malformed query, and with 77 without an archive"
  )
  func refusedQuery() async throws {
    let archives = try ArchiveFixture()
    try archives.fill("bird", ["apple"])
    let quote = try await archives.home.run("search", "one \"two")
    #expect(quote.code == 64)
    #expect(quote.error.contains("the quotation mark at character 5 is not closed"))
    let none = try await archives.home.run("search", "--account", "nobody", "apple")
    #expect(none.code == 77)
    #expect(none.error.contains("nobody: the archive does not exist yet "))
    let empty = try await TestInstallation().run("search", "apple")
    #expect(empty.code == 77)
  }

  @Test("If one archive is corrupt, a search still finds posts in the others")
  func searchDamaged() async throws {
    let archives = try ArchiveFixture()
    try archives.fill("bird", ["apple"])
    try archives.home.write("no database at all", to: archives.files(of: "other").database)
    let outcome = try await archives.home.run("search", "apple")
    #expect(outcome.code == 65)
    #expect(outcome.output.contains("apple"))
    #expect(outcome.error.contains("other: "))
  }

  // MARK: Export

  @Test("An export contains one post per line, and an import reads the posts back")
  func exportLines() async throws {
    let archives = try ArchiveFixture()
    try archives.fill("bird", (1...450).map { "post \($0) of \"them\", 手机" })
    let export = try await archives.home.run("export", "bird")
    #expect(export.code == 0)
    #expect(export.error == "")
    #expect(export.output.split(separator: "\n").count == 450)
    try archives.home.write(export.output, to: "\(archives.home.path)/export.jsonl")
    let staged = "\(archives.home.path)/staged"
    #expect(try ImportFile.stage("\(archives.home.path)/export.jsonl", to: staged) == 450)
    let posts = StagedPosts(staged)
    let read = try posts.next(1000)
    let marks = (1...450).reversed().map { ArchiveFixture.entry($0, "").mark }
    #expect(read.map { PostPosition(id: $0.id, key: $0.key) } == marks)
    #expect(read.first?.post == ArchiveFixture.entry(450, "post 450 of \"them\", 手机").post)
    #expect(read.first?.source == Array(#"{"id":450}"#.utf8))
  }

  @Test("`homeline export` can write a JSON array or a CSV table")
  func exportForms() async throws {
    let archives = try ArchiveFixture()
    try archives.fill("bird", ["=formula", "two\nlines"])
    let json = try await archives.home.run("export", "bird", "--format", "json")
    #expect(try JSONValue(Array(json.output.utf8)).items.map { $0["key"].text } == ["01.2", "01.1"])
    let csv = try await archives.home.run("export", "bird", "--format", "csv")
    #expect(
      csv.output == """
        id,created_at,author,name,text,url,language,reposted_by,in_reply_to,replies,reposts,likes,edited_at,deleted_at\r
        2,2026-11-20T12:02:00Z,mira_demo,Mira,"two
        lines",,,,,,,,,\r
        1,2026-11-20T12:01:00Z,mira_demo,Mira,'=formula,,,,,,,,,\r

        """)
    let bounded = try await archives.home.run("export", "bird", "--since", "2026-11-20T12:02:00Z")
    #expect(bounded.output.split(separator: "\n").count == 1)
  }

  @Test("`homeline export` exits silently when its output is closed")
  func exportToNobody() async throws {
    let archives = try ArchiveFixture()
    try archives.fill("bird", (1...3000).map { "post \($0) " + String(repeating: "x", count: 200) })
    let killed = try await archives.home.shell(#"set -o pipefail; "$0" export bird | head -n 1 > /dev/null"#)
    #expect(killed.code == 128 + SIGPIPE)
    #expect(killed.error == "")
    let ignored = try await archives.home.shell(#"trap "" PIPE; exec 3> >(:); wait $!; "$0" export bird >&3"#)
    #expect(ignored.code == 74)
    #expect(ignored.error == "")
    let full = try await archives.home.shell(#""$0" export bird > /dev/full"#)
    #expect(full.code == 74)
    #expect(full.error.hasPrefix("homeline: standard output: "))
  }

  // MARK: Check

  @Test(
    "`homeline check --archive` exits with 0 if the archive is intact, and with 65 and advice if it is corrupt"
  )
  func check() async throws {
    let archives = try ArchiveFixture()
    try archives.fill("bird", (1...1234).map { "post \($0) " + String(repeating: "x", count: 300) })
    let sound = try await archives.home.run("check", "--archive")
    #expect(sound.output == "bird: 1,234 posts, no damage\n")
    #expect(sound.error == "")
    #expect(sound.code == 0)
    let path = try archives.files(of: "bird").database
    var bytes = try File.read(path, limit: 64 << 20)
    for offset in bytes.count / 2..<bytes.count / 2 + 8192 { bytes[offset] = 0xff }
    try AtomicFile.write(bytes, to: path, .replaced)
    let damaged = try await archives.home.run("check", "--archive", "bird")
    #expect(damaged.code == 65)
    #expect(damaged.output.split(separator: "\n").allSatisfy { $0.hasPrefix("bird: ") })
    #expect(damaged.error.contains("bird: the archive is corrupt. The service will move it aside"))
  }

  // MARK: With a running service

  @Test("An archive can be searched, exported, checked and opened with sqlite3 while the service writes to it")
  func besideTheService() async throws {
    let fixture = try TwitterFixture(#""refresh_seconds": 15, "keep_posts": 20"#)
    let daemon = try await RunningDaemon(fixture.home)
    try await daemon.logIn()
    async let refreshed = daemon.request("refresh")
    for _ in 0..<3 {
      let count = try await fixture.home.sql(
        "SELECT count(*) > 0 FROM posts JOIN search_0 ON search_0.rowid = posts.row")
      #expect(count == "1\n")
      let check = try await fixture.home.run("check", "--archive", "demo")
      #expect(check.code == 0, "\(check.output)\(check.error)")
      #expect(check.output.hasSuffix(" posts, no damage\n"))
      let export = try await fixture.home.run("export", "demo")
      #expect(export.code == 0, "\(export.error)")
      #expect(export.output.split(separator: "\n").count > 10)
      #expect(try await fixture.home.run("search", "the OR a OR of", "--account", "demo").code == 0)
    }
    _ = try await refreshed
    #expect(await daemon.stop().outcome.code == 0)
  }
}

/// An installation whose accounts have archives, without a service or a provider.
struct ArchiveFixture {
  let home: TestInstallation
  static let time = Timestamp(rfc3339: "2026-11-20T12:00:00Z")!

  init() throws { home = try TestInstallation() }

  func files(of account: String) throws -> AccountFiles {
    FileLayout(try #require(BaseDirectories(environment: home.environment()))).files(of: account)
  }

  /// Opens an account's archive as the state owner does.
  func archive(of account: String) throws -> AccountDatabase {
    try AccountDatabase.open(try files(of: account), at: Self.time)
  }

  /// Stores one post for each text, oldest first, one minute apart.
  func fill(_ account: String, _ texts: [String], from first: Int = 1) throws {
    let database = try archive(of: account)
    defer { database.close() }
    let entries = texts.enumerated().map { Self.entry(first + $0, $1) }
    try database.insert(Page(entries: entries, older: nil), as: .head, at: Self.time)
  }

  /// Stores a chain of posts. Each answers the post before it.
  func fillChain(_ account: String, _ numbers: ClosedRange<Int>) throws {
    let database = try archive(of: account)
    defer { database.close() }
    let entries = numbers.map { Self.entry($0, "post \($0)", answering: $0 == 1 ? nil : $0 - 1) }
    try database.insert(Page(entries: entries, older: nil), as: .head, at: Self.time)
  }

  static func entry(_ number: Int, _ text: String, answering parent: Int? = nil) -> Page.Entry {
    let post = Post(
      id: PostID(String(number)), createdAt: time + .seconds(60 * number),
      author: User(id: "7", screenName: "mira_demo", name: "Mira"), text: text,
      inReplyTo: parent.map { Post.Reply(id: PostID(String($0)), screenName: "mira_demo") })
    return Page.Entry(post: post, key: PostKey(decimal: post.id)!, source: Array(#"{"id":\#(number)}"#.utf8)[...])
  }
}
