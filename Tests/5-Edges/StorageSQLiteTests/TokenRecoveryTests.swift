import Folders
import Platform
import Storage
import StorageFiles
import StorageSQLite
import StorageTestSupport
import TestSupport
import Testing
import Time

/// How the next process recovers from a renewal during which its predecessor exited.
@Suite struct TokenRecoveryTests {
  private let folder = TemporaryFolder()
  private var home: StorageHome { StorageHome(folder) }
  private var store: TokenStore { TokenStore(home.files) }
  private var next: String { "\(home.files.token).next" }
  /// The size that a renewal allocates for a response.
  private static let size = 8192

  /// Returns the content of a token file.
  private func bytes(of token: StoredToken) throws -> [UInt8] {
    let elsewhere = StorageHome(TemporaryFolder())
    let store = TokenStore(elsewhere.files)
    try store.keep(token, at: noon)
    return try File.read(elsewhere.files.token, limit: Self.size)
  }

  /// Writes a token, and a renewal file with the given content.
  private func leave(_ renewal: [UInt8]) throws {
    try store.keep(renewable("old"), at: noon)
    try store.reserveRenewal(of: renewable("old"))
    try AtomicFile.write(renewal, to: next, .replaced)
  }

  private func names() throws -> [String] { try Folder.names(in: home.files.stateFolder).sorted() }

  @Test("without a renewal, there is nothing to recover")
  func nothing() throws {
    #expect(try store.recover(at: noon) == .nothing)
    try store.keep(renewable("old"), at: noon)
    #expect(try store.recover(at: noon) == .nothing)
    #expect(try store.load(at: noon) == renewable("old"))
  }

  @Test("a renewed token is stored in a single step, and the renewal's file is removed")
  func whole() throws {
    try store.keep(renewable("old"), at: noon)
    try store.reserveRenewal(of: renewable("old"))
    #expect(try FileStatus.of(next).permissions == 0o600)
    #expect(try File.read(next, limit: 1 << 16) == [UInt8](repeating: 0, count: Self.size))
    try store.commitRenewal(renewable("new"))
    #expect(try names() == ["token.json"])
    #expect(try store.recover(at: noon) == .nothing)
    #expect(try store.load(at: noon) == renewable("new"))
  }

  @Test("if a renewal received no response, the previous token remains current", arguments: [0, 1, 8192])
  func unanswered(zeros: Int) throws {
    try leave([UInt8](repeating: 0, count: zeros))
    #expect(try store.recover(at: noon) == .unanswered)
    #expect(try names() == ["token.json"])
    #expect(try store.load(at: noon) == renewable("old"))
  }

  @Test(
    "a received renewal response is used, even if its file had not been truncated yet",
    arguments: [0, 1, 8192])
  func completed(zeros: Int) throws {
    try leave(bytes(of: renewable("new")) + [UInt8](repeating: 0, count: zeros))
    #expect(try store.recover(at: noon) == .completed)
    #expect(try names() == ["token.json"])
    #expect(try store.load(at: noon) == renewable("new"))
    #expect(try File.read(home.files.token, limit: 1 << 16) == bytes(of: renewable("new")))
    #expect(try store.recover(at: noon) == .nothing)
  }

  @Test(
    "a renewal response that could not be stored during recovery is returned before another renewal begins")
  func received() throws {
    try leave(bytes(of: renewable("new")))
    #expect(try store.received(after: renewable("old"), at: noon) == renewable("new"))
    #expect(try names() == ["token.json"])
    #expect(try store.received(after: renewable("new"), at: noon) == nil)
  }

  @Test(
    "after an incomplete renewal response, the previous token counts as used, and both are set aside")
  func torn() throws {
    let response = try bytes(of: renewable("new"))
    try leave(Array(response.prefix(response.count / 2)) + [UInt8](repeating: 0, count: 4096))
    let error = #expect(throws: StorageError.self) { try store.recover(at: noon) }
    #expect("\(try #require(error))".contains("log in again"))
    #expect(try names().count == 2)
    #expect(try names().allSatisfy { $0.hasPrefix("token.json.") })
    #expect(try store.load(at: noon) == nil)
    #expect(try store.recover(at: noon) == .nothing)
  }

  @Test("a login or a logout discards an unfinished renewal")
  func pointless() throws {
    try leave(bytes(of: renewable("new")))
    try store.keep(renewable("login"), at: noon)
    #expect(try store.recover(at: noon) == .nothing)
    #expect(try store.load(at: noon) == renewable("login"))
    try leave(bytes(of: renewable("new")))
    try store.remove(at: noon)
    #expect(try store.recover(at: noon) == .nothing)
    #expect(try store.load(at: noon) == nil)
  }
}
