import Bytes
import Platform
import Settings
import Storage
import StorageTestSupport
import Testing
import Time

/// How every store must handle tokens, registrations and request starts.
@Suite struct TokenStorageTests {
  @Test("a committed token is read back and replaces the previous one", arguments: StoreKind.allCases)
  func committed(kind: StoreKind) throws {
    let store = StoreUnderTest(kind)
    #expect(try store.tokens.read() == nil)
    #expect(!store.tokens.isPresent)
    for name in ["first", "second"] {
      try store.tokens.reserve(at: noon).commit(token(name))
      #expect(try store.tokens.load(at: noon) == token(name))
    }
    #expect(store.tokens.isPresent)
    #expect(try store.provider.accounts() == [store.account])
  }

  @Test("an unused reservation leaves the token unchanged", arguments: StoreKind.allCases)
  func abandoned(kind: StoreKind) throws {
    let store = StoreUnderTest(kind)
    try store.tokens.reserve(at: noon).commit(token("kept"))
    _ = try store.tokens.reserve(at: noon)
    #expect(try store.tokens.read() == token("kept"))
  }

  @Test("a committed renewal replaces the token and leaves nothing to recover", arguments: StoreKind.allCases)
  func renewed(kind: StoreKind) throws {
    let store = StoreUnderTest(kind)
    try store.tokens.reserve(at: noon).commit(token("old"))
    try store.tokens.reserveRenewal(of: token("old"))
    try store.tokens.commitRenewal(token("new"))
    #expect(try store.tokens.recover(at: noon) == .nothing)
    #expect(try store.tokens.read() == token("new"))
  }

  @Test(
    "a renewal without a response is reported only once, to the next state owner",
    arguments: StoreKind.allCases)
  func unanswered(kind: StoreKind) throws {
    let store = StoreUnderTest(kind)
    try store.tokens.reserve(at: noon).commit(token("old"))
    try store.tokens.reserveRenewal(of: token("old"))
    #expect(try store.provider.tokens(of: store.account).recover(at: noon) == .unanswered)
    #expect(try store.tokens.recover(at: noon) == .nothing)
    #expect(try store.tokens.read() == token("old"))
  }

  @Test("neither an abandoned renewal nor a login leaves anything to recover", arguments: StoreKind.allCases)
  func nothingLeft(kind: StoreKind) throws {
    let store = StoreUnderTest(kind)
    try store.tokens.reserve(at: noon).commit(token("old"))
    try store.tokens.reserveRenewal(of: token("old"))
    store.tokens.abandonRenewal()
    #expect(try store.tokens.recover(at: noon) == .nothing)
    try store.tokens.reserveRenewal(of: token("old"))
    try store.tokens.reserve(at: noon).commit(token("login"))
    #expect(try store.tokens.recover(at: noon) == .nothing)
  }

  @Test("a writer that only knows an old token is refused", arguments: StoreKind.allCases)
  func outdated(kind: StoreKind) throws {
    let store = StoreUnderTest(kind)
    func expectRefused() throws {
      let renewal = #expect(throws: StorageError.self) { try store.tokens.reserveRenewal(of: token("old")) }
      let refusal = RenewalRefusal(.final, "invalid_grant", at: noon)
      let note = #expect(throws: StorageError.self) { try store.tokens.note(refusal, of: token("old")) }
      #expect(renewal?.kind == .outdated && note?.kind == .outdated)
      #expect(try store.tokens.recover(at: noon) == .nothing, "nothing was reserved")
    }
    try store.tokens.reserve(at: noon).commit(token("old"))
    try store.provider.tokens(of: store.account).reserve(at: noon).commit(token("new"))
    try expectRefused()
    #expect(try store.tokens.read() == token("new"))
    try store.provider.tokens(of: store.account).remove(at: noon)
    try expectRefused()
    #expect(try store.tokens.read() == nil)
  }

  @Test("the reason for a refused renewal is kept until the next login", arguments: StoreKind.allCases)
  func refused(kind: StoreKind) throws {
    let store = StoreUnderTest(kind)
    try store.tokens.reserve(at: noon).commit(token("old"))
    let refusal = RenewalRefusal(.final, "invalid_grant", at: noon)
    try store.tokens.note(refusal, of: token("old"))
    #expect(try store.tokens.read()?.refusal == refusal)
    try store.tokens.reserve(at: noon).commit(token("new"))
    #expect(try store.tokens.read()?.refusal == nil)
  }

  @Test("a removed token is gone, and removing it again is not an error", arguments: StoreKind.allCases)
  func removed(kind: StoreKind) throws {
    let store = StoreUnderTest(kind)
    try store.tokens.reserve(at: noon).commit(token("old"))
    for _ in 0..<2 { try store.tokens.remove(at: noon) }
    #expect(try store.tokens.read() == nil)
    #expect(try store.provider.accounts() == [])
  }

  @Test("the start of the last request is read back as it was written", arguments: StoreKind.allCases)
  func starts(kind: StoreKind) throws {
    let store = StoreUnderTest(kind)
    // The start marker is next to the timeline, so its folder must exist.
    try store.timeline { _ in }
    #expect(store.provider.starts(of: store.account).read() == nil)
    for unfinished in [1, 12, 2] {
      let start = RequestStart(at: BootInstant(nanoseconds: 5_000_000), wall: noon, unfinished: unfinished)
      try store.provider.starts(of: store.account).write(start)
      #expect(store.provider.starts(of: store.account).read() == start)
    }
  }

  @Test("registrations are found by redirect URI and by id", arguments: StoreKind.allCases)
  func registrations(kind: StoreKind) throws {
    let store = StoreUnderTest(kind)
    let clients = store.provider.clients(at: "mastodon.example")
    let all = ["1", "2"].map {
      RegisteredClient(redirect: "http://127.0.0.1/", identifier: $0, secret: Secret("s\($0)"), registeredAt: noon)
    }
    for client in all { try clients.store(client) }
    #expect(try clients.client(forRedirect: "http://127.0.0.1/", allowing: []) == all[1])
    #expect(try clients.client(id: "1") == all[0])
    #expect(try store.provider.clients(at: "other.example").client(id: "1") == nil)
  }

  @Test(
    "a registration that the server has forgotten is not used for logins, but kept as long as a token names it",
    arguments: StoreKind.allCases)
  func forgottenRegistrations(kind: StoreKind) throws {
    let clients = StoreUnderTest(kind).provider.clients(at: "mastodon.example")
    try clients.forget(id: "unknown", at: noon)
    let all = ["1", "2", "3"].map {
      RegisteredClient(redirect: "http://127.0.0.1/", identifier: $0, secret: Secret("s\($0)"), registeredAt: noon)
    }
    for client in all { try clients.store(client) }
    for id in ["2", "3"] { try clients.forget(id: id, at: noon) }
    #expect(try clients.client(forRedirect: "http://127.0.0.1/", allowing: []) == all[0])
    #expect(try clients.client(id: "3") == all[2].forgotten(at: noon))
    try clients.removeForgotten(except: ["3"])
    #expect(try clients.client(id: "1") == all[0])
    #expect(try clients.client(id: "2") == nil)
    #expect(try clients.client(id: "3")?.secret == all[2].secret)
  }
}
