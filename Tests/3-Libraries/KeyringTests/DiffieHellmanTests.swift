import Testing

@testable import Keyring

/// The Diffie-Hellman key exchange with the keyring.
struct DiffieHellmanTests {
  @Test("both sides of an exchange derive the same key, and each exchange yields a different key")
  func exchange() throws {
    var keys: Set<[UInt8]> = []
    // About one in 256 shared values begins with a zero byte, which must be kept.
    for _ in 0..<600 {
      let (one, other) = (try DiffieHellman(), try DiffieHellman())
      let key = try #require(try one.sessionKey(with: other.publicKey))
      #expect(try other.sessionKey(with: one.publicKey) == key)
      keys.insert(key)
    }
    #expect(keys.count == 600)
  }

  @Test("a peer's public value that would reveal the session key is refused")
  func weakValues() throws {
    let exchange = try DiffieHellman()
    let prime = hex(
      "ffffffffffffffffc90fdaa22168c234c4c6628b80dc1cd129024e088a67cc74020bbea63b139b22514a08798e3404ddef9519b3cd3a431b"
        + "302b0a6df25f14374fe1356d6d51c245e485b576625e7ec6f44c42e9a637ed6b0bff5cb6f406b7edee386bfb5a899fa5ae9f24117c4b1fe6"
        + "49286651ece65381ffffffffffffffff")
    var below = prime
    below[127] = 0xfe
    for value in [[], [0], [1], prime, below, [UInt8](repeating: 0xff, count: 128), [UInt8](repeating: 1, count: 129)] {
      #expect(try exchange.sessionKey(with: value) == nil)
    }
  }

  private func hex(_ text: String) -> [UInt8] {
    let digits = text.utf8.map { UInt8($0 >= 97 ? $0 - 87 : $0 - 48) }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}
