import Bytes
import Dispatch
import Folders
import HomelineOAuth
import Platform
import Storage
import StorageFiles
import StorageSQLite
import StorageTestSupport
import TestSupport
import Testing
import Time
import Timeline

@Suite("Data about an authorisation server") struct ServerFilesTests {
  private let folder = TemporaryFolder()
  private func files(_ authority: String = "social.example") -> ServerFiles {
    StorageHome(folder).layout.server(authority)
  }

  private func client(_ id: String, _ redirect: String = "http://127.0.0.1:8765/callback/social.example")
    -> RegisteredClient
  {
    RegisteredClient(redirect: redirect, identifier: id, secret: Secret("s-\(id)"), registeredAt: noon)
  }

  @Test("a registration is found by its redirect URI and by its id, and its file is private")
  func registration() throws {
    let store = ClientStore(files())
    #expect(try store.client(forRedirect: client("1").redirect, allowing: []) == nil)
    try store.store(client("1"))
    #expect(try store.client(forRedirect: client("1").redirect, allowing: []) == client("1"))
    #expect(try store.client(id: "1") == client("1"))
    #expect(try store.client(forRedirect: "http://127.0.0.1:1/callback", allowing: []) == nil)
    #expect(try permissions(files().clients) == 0o600)
    #expect(try permissions(files().folder) == 0o700)
  }

  @Test(
    "a redirect URI's newest registration is used, while earlier ones and forgotten ones are kept for their tokens")
  func several() throws {
    let store = ClientStore(files())
    for id in ["1", "2"] { try store.store(client(id)) }
    #expect(try store.client(forRedirect: client("1").redirect, allowing: [])?.identifier == "2")
    #expect(try store.client(id: "1") == client("1"))
    try store.forget(id: "2", at: noon)
    #expect(try ClientStore(files()).client(forRedirect: client("1").redirect, allowing: [])?.identifier == "1")
    #expect(try ClientStore(files()).client(id: "2") == client("2").forgotten(at: noon))
  }

  @Test("registrations stored at the same time are all kept")
  func atOnce() throws {
    let store = ClientStore(files())
    DispatchQueue.concurrentPerform(iterations: 8) { number in try? store.store(client("\(number)", "r\(number)")) }
    for number in 0..<8 { #expect(try store.client(id: "\(number)") != nil) }
  }

  @Test(
    "the error about an unreadable server file gives its path, and the file is left unchanged",
    arguments: ["", "{}", "{\"schema\": 2, \"clients\": 1}", "{\"schema\": 1, \"clients\": [{}]}", "nonsense"])
  func unreadable(text: String) throws {
    let files = files()
    try Folder.create(files.folder)
    try AtomicFile.write(Array(text.utf8), to: files.clients, .replaced)
    do {
      let found = try ClientStore(files).client(id: "1")
      Issue.record("\(String(describing: found)) was read")
    } catch { #expect("\(error)".contains(files.clients)) }
    #expect(throws: (any Error).self) { try ClientStore(files).store(client("1")) }
    #expect(try File.read(files.clients, limit: 100) == Array(text.utf8))
  }

  @Test("the timelines that a server restricts are kept beside its endpoints, and without endpoints")
  func feeds() throws {
    let store = MetadataStore(files())
    #expect(store.feeds == nil)
    for feeds in [ServerFeeds(askedAt: noon), ServerFeeds(askedAt: noon, restricted: [.tag: .off])] {
      try store.store(feeds)
      #expect(MetadataStore(files()).feeds == feeds)
    }
    let endpoints = OAuth2Endpoints(token: try RequestURL("https://social.example/oauth/token"))
    try store.store(endpoints)
    try store.noteCoarseScopes()
    #expect(store.feeds == ServerFeeds(askedAt: noon, restricted: [.tag: .off]) && store.needsCoarseScopes)
    #expect(store.read() == endpoints)
  }

  @Test("a server's endpoints are read back, and corrupt endpoint files are ignored")
  func metadata() throws {
    let store = MetadataStore(files())
    #expect(store.read() == nil)
    let endpoints = OAuth2Endpoints(
      issuer: "https://social.example/", promisesIssuer: true,
      authorize: try RequestURL("https://social.example/oauth/authorize"),
      token: try RequestURL("https://social.example/oauth/token"),
      revocation: try RequestURL("https://social.example/oauth/revoke"),
      deviceAuthorization: try RequestURL("https://social.example/device"),
      userInfo: try RequestURL("https://social.example/userinfo"), clientAuthentications: [.body, .none])
    try store.store(endpoints)
    #expect(store.read() == endpoints)
    let bare = OAuth2Endpoints(token: try RequestURL("https://social.example/t"))
    try store.store(bare)
    #expect(store.read() == bare)
    try AtomicFile.write(Array("{\"schema\": 1".utf8), to: files().metadata, .replaced)
    #expect(store.read() == nil)
  }

  @Test(
    "a server's name cannot lead to a path outside its folder", arguments: ["../../x", "a/b", "[::1]:80", "ä", ".."])
  func names(authority: String) {
    let folder = files(authority).folder
    let parent = StorageHome(self.folder).layout.stateFolder + "/_servers/"
    #expect(folder.hasPrefix(parent))
    let name = folder.dropFirst(parent.count)
    #expect(!name.contains("/") && name != ".." && name != "." && !name.isEmpty)
  }
}
