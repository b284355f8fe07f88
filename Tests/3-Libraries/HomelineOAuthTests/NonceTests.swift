import Cryptography
import Testing

@testable import HomelineOAuth

@Suite("Random nonces")
struct NonceTests {
  @Test("every random nonce is different, and consists of 128 bits in hexadecimal")
  func random() throws {
    let drawn = try (0..<100).map { _ in try Nonce.random() }
    for nonce in drawn {
      #expect(nonce.text.utf8.count == 32)
      #expect(nonce.text.allSatisfy { "0123456789abcdef".contains($0) })
    }
    #expect(Set(drawn).count == drawn.count)
  }

  @Test("a nonce contains all of its bytes in order, in hexadecimal")
  func allBytes() {
    #expect(Nonce(bytes: (0..<16).map { $0 * 17 }).text == "00112233445566778899aabbccddeeff")
  }

  @Test("a failure of the random generator is an error, whatever bytes it returned", arguments: [0, -1])
  func failure(result: Int32) {
    #expect(throws: CryptographyError.self) { try RandomBytes.generate(16) { _ in result } }
  }
}
