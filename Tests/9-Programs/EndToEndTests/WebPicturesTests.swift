import Folders
import Formats
import Platform
import PublishedFiles
import Storage
import StorageSQLite
import StorageTestSupport
import TestSupport
import Testing
import Time
import Timeline

/// The pictures of the web page in the documentation (`scripts/screenshots`).
@Suite("Pictures of the web page", .needsPeers, .timeLimit(.minutes(3))) struct WebPicturesTests {
  /// The folder for the pictures; `nil` if nobody wants them.
  private static let folder = ProcessEnvironment.variables()["HOMELINE_PAGE_PICTURES"]

  @Test("The page shows the demo timeline with its pictures, in Chromium", .needs("chromedriver"))
  func taken() async throws {
    let archives = try ArchiveFixture()
    let home = archives.home
    let port = try ReservedPort()
    try home.configure(
      """
      { "callback": { "port": 0 }, "web": { "port": \(port.port) }, "views": { "all": {} },
        "accounts": { "garden": { "provider": "mastodon", "server": "https://fields.example" } } }
      """)
    try Self.store(in: archives)
    try await Self.storePictures(home)
    let daemon = try await RunningDaemon(home)
    let entry = String(try await home.run("web", "--print").output.dropLast())
    let pictures = Self.folder ?? "\(home.path)/pictures"
    try Folder.create(pictures)
    let run = try await Peers.start(
      "web_pictures.py", [entry, pictures], input: .nothing, variables: ["PATH": "/usr/bin:/bin"]
    )
    .end()
    await daemon.stop()
    if run.code == 77 { try skipTest("\(run.output)") }
    try #require(run.code == 0, "\(run.output) \(run.error)")
    let texts = try home.read("\(pictures)/web.txt").split(separator: "\n")
    #expect(texts.contains("Ines Varga") && texts.contains("4 unread"), "\(texts)")
    #expect(!texts.contains { $0.contains("127.0.0.1") || $0.contains("Photo at") }, "\(texts)")
    for name in ["light", "dark", "phone", "search"] { #expect(File.exists("\(pictures)/web-\(name).png")) }
  }

  /// Stores the demo's posts as if they had been fetched just now.
  private static func store(in archives: ArchiveFixture) throws {
    let database = try archives.archive(of: "garden")
    defer { database.close() }
    let later = WallClock.system.now - DemoPage.now
    let entries = try DemoPage.posts.map { item in
      var post = item.post
      post.createdAt = post.createdAt + later
      post.editedAt = post.editedAt.map { $0 + later }
      post.quoted = post.quoted.map {
        Post.Quote(
          id: $0.id, createdAt: $0.createdAt + later, author: $0.author, text: $0.text, url: $0.url, media: $0.media)
      }
      // The newest post has the lowest number.
      let number = try #require(Int(post.id.text))
      return Page.Entry(post: post, key: try #require(PostKey(decimal: PostID(String(100 - number)))))
    }
    let read = try #require(entries.first { $0.post.id.text == "5" }?.mark)
    try database.insert(Page(entries: entries, older: nil), as: .head, at: DemoPage.now + later) { state in
      let user = User(id: "9", screenName: "mira@fields.example", name: "Mira Lindqvist")
      state.identity = AccountIdentity(server: "https://fields.example", user: user)
      state[.home] = TimelineState(
        refreshedAt: DemoPage.now + later - .seconds(40), nextRefreshAt: DemoPage.now + later + .seconds(3860))
      state[.home].readUpTo = read
    }
  }

  /// Stores the demo's pictures as if they had been fetched.
  private static func storePictures(_ home: TestInstallation) async throws {
    let drawn = "\(home.path)/drawn"
    let run = try await Peers.start("page_pictures.py", [drawn], input: .nothing).end()
    try #require(run.code == 0, "\(run.error)")
    let layout = FileLayout(try #require(BaseDirectories(environment: home.environment())))
    let store = MediaStore(layout.mediaFolder, limit: 1 << 24, clock: .system, log: .silent)
    defer { store.close() }
    let urls = Set(DemoPage.posts.flatMap(\.post.pictureURLs)).filter { $0.hasPrefix("https://img.example/") }
    for url in urls {
      let claim = try #require(store.claim(url))
      guard
        case .stored = store.store(
          try File.read("\(drawn)/\(url.split(separator: "/").last!)", limit: 1 << 22), of: claim)
      else { throw TestClient.Failure(description: "\(url) was not stored") }
    }
    _ = store.name(Array(urls), by: "account:garden") { $0 }
  }
}
