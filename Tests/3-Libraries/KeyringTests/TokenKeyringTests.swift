import Bytes
import KeyringTestSupport
import Testing

@testable import Keyring

/// The token keys of an installation, in a secret store in memory.
struct TokenKeyringTests {
  private let store = MemorySecretStore()
  private var keyring: TokenKeyring { TokenKeyring(store, stateFolder: "/home/mira/.local/state/homeline") }

  @Test("a token key is found once it has been created")
  func creation() throws {
    #expect(try keyring.current() == nil)
    let key = try keyring.makeCurrent()
    #expect(try keyring.makeCurrent() == key)
    #expect(try keyring.current() == key)
    #expect(store.count == 1)
  }

  @Test("installations with different state folders have separate keys")
  func installations() throws {
    let other = TokenKeyring(store, stateFolder: "/home/mira/other")
    let key = try keyring.makeCurrent()
    #expect(try other.current() == nil)
    #expect(try other.makeCurrent() != key)
    #expect(try other.key(key.id) == key, "a key is found by its id after the state folder has moved")
    try other.remove()
    #expect(try keyring.current() == key)
  }

  @Test("if two processes create token keys at the same time, all processes use the same key")
  func race() throws {
    let keys = try (0..<2).map { _ in
      let key = try TokenKey.random()
      try store.add(
        key.text, .tokenKey(key.id, of: try instance()), label: "homeline: token key")
      return key
    }
    #expect(try keyring.current() == keys.min { $0.id < $1.id })
    for key in keys { #expect(try keyring.key(key.id) == key) }
  }

  @Test("a token key is recognised even if a final line feed was added when it was restored")
  func lineFeed() throws {
    let key = try TokenKey.random()
    key.text.withExposedText { text in
      #expect(TokenKey(Secret(text + "\n")) == key)
      #expect(TokenKey(Secret(text + "\r\n")) == key)
      #expect(TokenKey(Secret(String(text.dropLast()))) == nil)
      #expect(TokenKey(Secret(text + "AAAA")) == nil)
    }
    #expect(TokenKey(Secret("")) == nil)
  }

  @Test("an unusable secret store is never mistaken for a store without a key")
  func failures() throws {
    let key = try keyring.makeCurrent()
    for failure in [SecretStoreError.locked, .noProvider, .noBus("gone"), .timedOut, .noKeyring] {
      store.failure = failure
      #expect(throws: failure) { try keyring.current() }
      #expect(throws: failure) { try keyring.key(key.id) }
      #expect(throws: failure) { try keyring.makeCurrent() }
    }
    store.failure = nil
    #expect(try keyring.current() == key)
  }

  private func instance() throws -> String {
    let probe = MemorySecretStore()
    _ = try TokenKeyring(probe, stateFolder: "/home/mira/.local/state/homeline").makeCurrent()
    return try #require(probe.instances.first)
  }
}
