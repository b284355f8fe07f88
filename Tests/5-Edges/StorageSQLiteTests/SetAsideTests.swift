import Folders
import Platform
import PublishedFiles
import Settings
import Storage
import StorageFiles
import StorageSQLite
import StorageTestSupport
import TestSupport
import Testing
import Time
import Timeline

@Suite struct SetAsideTests {
  @Test("another user's login finds an empty account, and all of the previous user's files are moved aside")
  func setAside() throws {
    let home = StorageHome(TemporaryFolder())
    let store = TokenStore(home.files)
    try store.keep(token(), at: noon)
    var database = try home.database()
    try database.insert(page(3, 1), as: .head) { $0.identity = ann }
    try TimelineFilesWriter(home.files, tokens: TokenStore(home.files), provider: "twitter", keepPosts: 10).publishAll(
      from: database)
    database.close()
    let reservation = try store.reserve(at: noon)

    let aside = try home.files.setAside(userID: "../42", at: noon)
    let name = "bird.was-___42-20261120T120000Z"
    #expect(
      aside == [
        "\(home.layout.stateFolder)/\(name)", "\(home.layout.dataFolder)/\(name)",
        "\(home.layout.cacheFolder)/\(name)",
      ])
    #expect(try store.load(at: noon) == nil)
    #expect(try FileStorage(home.layout).accounts().map(\.text) == [])
    #expect(try Folder.names(in: aside[0]) == ["token.json"])
    #expect(try Folder.names(in: aside[1]) == ["timeline.db"])
    #expect(try Folder.names(in: aside[2]) == ["home_timeline.json"])

    // The space reserved for the new token remains valid.
    try reservation.commit(token("new"))
    #expect(try store.read()?.identifier == "new")
    database = try home.database()
    #expect(try database.state() == AccountState())
    #expect(try database.countOfPosts() == 0)
  }

  @Test("moving files aside twice in the same second overwrites nothing")
  func twice() throws {
    let home = StorageHome(TemporaryFolder())
    var folders: [String] = []
    for _ in 0..<2 {
      try home.database().close()
      folders += try home.files.setAside(userID: "42", at: noon)
    }
    #expect(folders.count == 2)
    for folder in folders { #expect(try Folder.names(in: folder) == ["timeline.db"]) }
  }

  @Test("moving an empty account aside does nothing")
  func nothing() throws {
    #expect(try StorageHome(TemporaryFolder()).files.setAside(userID: "42", at: noon) == [])
  }
}
