import Folders
import Glibc
import Platform
import Storage
import StorageFiles
import StorageSQLite
import StorageTestSupport
import TestSupport
import Testing
import Time

@Suite struct TokenStoreTests {
  private let folder = TemporaryFolder()
  private var home: StorageHome { StorageHome(folder) }
  private var store: TokenStore { TokenStore(home.files) }

  private func names() throws -> [String] { try Folder.names(in: home.files.stateFolder) }

  private func put(_ text: String, mode: UInt32 = 0o600) throws {
    try Folder.create(home.files.stateFolder)
    try AtomicFile.write(Array(text.utf8), to: home.files.token, .replaced)
    chmod(home.files.token, mode)
  }

  private func keep(_ token: StoredToken) throws {
    try store.keep(token, at: noon)
  }

  @Test("a token is read back unchanged; its file is the only one in the folder and private from the start")
  func roundTrip() async throws {
    #expect(try store.load(at: noon) == nil)
    let path = folder.path
    // A separate process sets the umask to 0, so that the modes do not depend on the user's umask.
    await #expect(processExitsWith: .success) { [path = path as String] in
      umask(0)
      let files = StorageHome(path).files
      let reservation = try TokenStore(files).reserve(at: noon)
      let reserved = try Folder.names(in: files.stateFolder)
      #expect(reserved.count == 1)
      #expect(try permissions("\(files.stateFolder)/\(reserved[0])") == 0o600)
      try reservation.commit(token("a\"b\u{1F426}", secret: "ß\n"))
    }
    #expect(try store.load(at: noon) == token("a\"b\u{1F426}", secret: "ß\n"))
    #expect(try names() == ["token.json"])
    #expect(try permissions(home.files.token) == 0o600)
    #expect(try permissions(home.files.stateFolder) == 0o700)
  }

  @Test("a token file contains readable JSON with a schema and a kind")
  func form() throws {
    try keep(token())
    let text = String(decoding: try File.read(home.files.token, limit: 10_000), as: UTF8.self)
    #expect(
      text == """
        {
          "schema": 1,
          "kind": "oauth1",
          "provider": "twitter",
          "server": "https://api.test",
          "user": {
            "id": "42",
            "screen_name": "ann",
            "name": "Ann"
          },
          "token": "token",
          "secret": "s3cret",
          "authorised_at": "2026-11-20T12:00:00Z"
        }

        """)
  }

  @Test("a new token replaces the old one")
  func replaced() throws {
    try keep(token("old"))
    try keep(token("new"))
    #expect(try store.read()?.identifier == "new")
  }

  @Test("an unused reservation for a token leaves nothing behind and changes nothing")
  func unused() throws {
    try keep(token("old"))
    do { _ = try store.reserve(at: noon) }
    #expect(try names() == ["token.json"])
    #expect(try store.read()?.identifier == "old")
  }

  @Test("if the file reserved for a token was deleted, it is recreated")
  func vanished() throws {
    let reservation = try store.reserve(at: noon)
    for name in try names() { try File.remove("\(home.files.stateFolder)/\(name)") }
    try reservation.commit(token())
    #expect(try store.read() == token())
  }

  @Test("the next login removes a killed login's reservation")
  func leftovers() async throws {
    let path = folder.path
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let reservation = try TokenStore(StorageHome(path).files).reserve(at: noon)
      withExtendedLifetime(reservation) { _ = kill(getpid(), SIGKILL) }
    }
    #expect(try names().count == 1)
    try keep(token())
    #expect(try names() == ["token.json"])
  }

  @Test("a full disk is detected before the token is requested, and the old token is kept")
  func fullDisk() async throws {
    try keep(token("old"))
    let path = folder.path
    await #expect(processExitsWith: .success) { [path = path as String] in
      limitFileSize(to: 1000)
      let store = TokenStore(StorageHome(path).files)
      #expect(throws: StorageError.self) { try store.reserve(at: noon) }
    }
    #expect(try store.read()?.identifier == "old")
    #expect(try names() == ["token.json"])
  }

  @Test("a token that other users can read is refused with advice")
  func readable() throws {
    try keep(token())
    chmod(home.files.token, 0o640)
    let error = #expect(throws: StorageError.self) { try store.load(at: noon) }
    #expect(error?.description.contains("chmod 600") == true)
    #expect(try names() == ["token.json"])
  }

  @Test("a corrupt token is set aside and its path is reported, even twice in the same second")
  func corrupt() throws {
    for name in ["token.json.corrupt-20261120T120000Z", "token.json.corrupt-20261120T120000Z-2"] {
      try put("{\"schema\": 1, \"kind\": \"oauth1\", \"tok")
      let error = #expect(throws: StorageError.self) { try store.load(at: noon) }
      #expect(error?.description.contains("/\(name)") == true)
      #expect(try names().contains(name))
      #expect(try store.load(at: noon) == nil)
    }
    #expect(try names().count == 2)
  }

  @Test(
    "a token file with invalid content is reported as corrupt, without quoting the content",
    arguments: [
      "", "[]", "{}", "{\"schema\": 0}", "{\"schema\": 1}",
      "{\"schema\": 1, \"kind\": \"oauth1\", \"secret\": \"s3cret\"}",
      "{\"schema\": 1, \"kind\": \"oauth1\"} s3cret", "{\"schema\": \"s3cret\"}", "\u{0}\u{0}\u{0}",
    ])
  func corruptForms(text: String) throws {
    try put(text)
    let error = #expect(throws: StorageError.self) { try store.read() }
    #expect(error?.kind == .damaged)
    #expect(error?.description.contains("s3cret") == false)
    #expect(try names() == ["token.json"])
  }

  @Test(
    "a token from a newer version is refused and left unchanged",
    arguments: ["{\"schema\": 2, \"kind\": [1]}", "{\"schema\": 1, \"kind\": \"oauth3\", \"token\": {}}"])
  func newer(text: String) throws {
    try put(text)
    #expect(throws: StorageError.self) { try store.load(at: noon) }
    #expect(throws: StorageError.self) { _ = try store.reserve(at: noon) }
    #expect(throws: StorageError.self) { try store.remove(at: noon) }
    #expect(try File.read(home.files.token, limit: 1000) == Array(text.utf8))
    #expect(try names() == ["token.json"])
  }

  @Test("a removed token is gone, and removing it again is not an error")
  func removed() throws {
    try keep(token())
    try store.remove(at: noon)
    #expect(try names() == [])
    try store.remove(at: noon)
    #expect(try store.load(at: noon) == nil)
  }

  @Test("printing a token value does not reveal the token")
  func redacted() throws {
    #expect(!"\(token())".contains("s3cret"))
  }
}
