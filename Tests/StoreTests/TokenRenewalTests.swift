import CivilTime
import Glibc
import HomelineOAuth
import Platform
import Store
import TestSupport
import Testing

@Suite("A renewal on the disk") struct TokenRenewalTests {
  private let folder = TemporaryFolder()
  private var place: Place { Place(folder) }
  private var store: TokenStore { TokenStore(place.files) }
  private var next: String { place.files.token + ".next" }

  private func names() throws -> [String] { try Folder.names(in: place.files.stateFolder).sorted() }

  private func authorise(_ name: String = "1") throws {
    try store.commit(renewable(name), into: store.prepare(at: noon))
  }

  private func access(_ token: StoredToken?) -> String? { token?.grant.bearer?.accessToken.withExposedText { $0 } }

  @Test("the new token takes the place of the old one, and nothing else stays")
  func whole() throws {
    try authorise()
    try store.beginRenewal()
    #expect(try permissions(next) == 0o600)
    #expect(access(try store.read()) == "access-1", "the old one stands until the new one has come")
    try store.commitRenewal(renewable("2"))
    #expect(try store.read() == renewable("2"))
    #expect(try names() == ["token.json"])
  }

  @Test("a renewal that ends without an answer leaves the old token, and nothing else")
  func refused() throws {
    try authorise()
    try store.beginRenewal()
    store.endRenewal()
    #expect(try names() == ["token.json"])
    #expect(try store.recover(at: noon) == .nothing)
    #expect(access(try store.load(at: noon)) == "access-1")
  }

  @Test("killed before the answer, the old token is all there is")
  func unanswered() async throws {
    try authorise()
    let path = folder.path
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      try TokenStore(Place(path).files).beginRenewal()
      kill(getpid(), SIGKILL)
    }
    #expect(try names() == ["token.json", "token.json.next"])
    #expect(try store.recover(at: noon) == .unanswered)
    #expect(access(try store.load(at: noon)) == "access-1")
    #expect(try names() == ["token.json"])
  }

  @Test("killed between the answer and its being put in place, the answer counts and the old token is gone")
  func answered() throws {
    try authorise()
    try store.beginRenewal()
    // What the process before wrote: the answer in front of the zeros of the space that was allocated.
    let zeros = try File.read(next, limit: 65536)
    #expect(!zeros.isEmpty && zeros.allSatisfy { $0 == 0 })
    let answer = try json(of: renewable("2"))
    try AtomicFile.write(answer + zeros.dropFirst(answer.count), to: next, .replaced)
    #expect(try store.recover(at: noon) == .completed)
    #expect(try store.load(at: noon) == renewable("2"))
    #expect(try names() == ["token.json"])
    try store.beginRenewal()
    try store.commitRenewal(renewable("3"))
    #expect(access(try store.load(at: noon)) == "access-3")
  }

  @Test("an answer that was cut off is kept aside, and the token that it used up is never tried again")
  func torn() throws {
    try authorise()
    try store.beginRenewal()
    try AtomicFile.write(Array(try json(of: renewable("2")).prefix(80)), to: next, .replaced)
    do {
      _ = try store.recover(at: noon)
      Issue.record("half an answer was taken for one")
    } catch {
      #expect("\(error)".contains("log in again"))
    }
    #expect(try store.load(at: noon) == nil)
    #expect(try names().allSatisfy { $0.contains("corrupt") || $0.contains("used") } && names().count == 2)
    try authorise("3")
    #expect(try store.recover(at: noon) == .nothing)
    #expect(access(try store.load(at: noon)) == "access-3")
  }

  @Test("a full disk is met before the provider is asked, and the token stands")
  func noRoom() async throws {
    try authorise()
    let path = folder.path
    await #expect(processExitsWith: .success) { [path = path as String] in
      limitFileSize(to: 1000)
      let store = TokenStore(Place(path).files)
      #expect(throws: TokenStoreError.self) { try store.beginRenewal() }
    }
    #expect(try names() == ["token.json"])
    #expect(access(try store.load(at: noon)) == "access-1")
  }

  @Test("a place that vanished meanwhile does not lose the answer")
  func vanished() throws {
    try authorise()
    try store.beginRenewal()
    try File.remove(next)
    try store.commitRenewal(renewable("2"))
    #expect(access(try store.load(at: noon)) == "access-2")
    #expect(try names() == ["token.json"])
  }

  @Test("a login and a logout leave nothing of a renewal")
  func overtaken() throws {
    try authorise()
    try store.beginRenewal()
    try authorise("2")
    #expect(try names() == ["token.json"])
    try store.beginRenewal()
    try store.remove(at: noon)
    #expect(try names().isEmpty)
  }

  @Test("a place that others can read is refused")
  func readable() throws {
    try authorise()
    try store.beginRenewal()
    chmod(next, 0o644)
    #expect(throws: TokenStoreError.self) { try store.recover(at: noon) }
  }

  /// What a token looks like in its file.
  private func json(of token: StoredToken) throws -> [UInt8] {
    let other = TemporaryFolder()
    let store = TokenStore(Place(other).files)
    try store.commit(token, into: store.prepare(at: noon))
    return try File.read(Place(other).files.token, limit: 65536)
  }
}
