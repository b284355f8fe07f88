import CivilTime
import Files
import Platform
import Storage
import StorageSQLite
import StorageTestSupport
import TestSupport
import Testing

/// What an owner finds of a renewal in whose middle a process before it was ended, and what it makes of that.
@Suite struct TokenRecoveryTests {
  private let folder = TemporaryFolder()
  private var home: StorageHome { StorageHome(folder) }
  private var store: TokenStore { TokenStore(home.files) }
  private var next: String { "\(home.files.token).next" }
  /// As much as is allocated for an answer.
  private static let size = 8192

  /// The bytes of a token's file.
  private func bytes(of token: StoredToken) throws -> [UInt8] {
    let elsewhere = StorageHome(TemporaryFolder())
    let store = TokenStore(elsewhere.files)
    try store.keep(token, at: noon)
    return try File.read(elsewhere.files.token, limit: Self.size)
  }

  /// Leaves a token, and a renewal with this in its place.
  private func leave(_ renewal: [UInt8]) throws {
    try store.keep(renewable("old"), at: noon)
    try store.reserveRenewal()
    try AtomicFile.write(renewal, to: next, .replaced)
  }

  private func names() throws -> [String] { try Folder.names(in: home.files.stateFolder).sorted() }

  @Test("a renewal that was not begun leaves nothing to do")
  func nothing() throws {
    #expect(try store.recover(at: noon) == .nothing)
    try store.keep(renewable("old"), at: noon)
    #expect(try store.recover(at: noon) == .nothing)
    #expect(try store.load(at: noon) == renewable("old"))
  }

  @Test("a renewed token is kept in one step, and its place is gone")
  func whole() throws {
    try store.keep(renewable("old"), at: noon)
    try store.reserveRenewal()
    #expect(try FileStatus.of(next).permissions == 0o600)
    #expect(try File.read(next, limit: 1 << 16) == [UInt8](repeating: 0, count: Self.size))
    try store.commitRenewal(renewable("new"))
    #expect(try names() == ["token.json"])
    #expect(try store.recover(at: noon) == .nothing)
    #expect(try store.load(at: noon) == renewable("new"))
  }

  @Test("without an answer the token before it is all there is", arguments: [0, 1, 8192])
  func unanswered(zeros: Int) throws {
    try leave([UInt8](repeating: 0, count: zeros))
    #expect(try store.recover(at: noon) == .unanswered)
    #expect(try names() == ["token.json"])
    #expect(try store.load(at: noon) == renewable("old"))
  }

  @Test(
    "an answer that was received counts, also where the space behind it was not cut off yet",
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
    "an answer that could not be put in its place when it was found is given before another renewal takes its place")
  func received() throws {
    try leave(bytes(of: renewable("new")))
    #expect(try store.received(after: renewable("old"), at: noon) == renewable("new"))
    #expect(try names() == ["token.json"])
    #expect(try store.received(after: renewable("new"), at: noon) == nil)
  }

  @Test("an answer that is cut off makes the token before it used up: both are set aside, and neither is used")
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

  @Test("a login makes a renewal that was left pointless, and so does a logout")
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
