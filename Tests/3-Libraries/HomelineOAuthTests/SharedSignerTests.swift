import Bytes
import HomelineOAuth
import Testing

/// The state that a signer keeps between signatures, which must not affect later signatures.
@Suite("Shared signers")
struct SharedSignerTests {
  private static let client = ClientCredentials(identifier: "ck", secret: Secret("cs"))
  private static let signer = Signer(client: client, token: .none)

  private func request(_ number: Int, length: Int = 20) throws -> (SignableRequest, NonceTimestamp) {
    let form = [Parameter("n", "\(number)"), Parameter("text", String(repeating: "é", count: length))]
    let request = SignableRequest(method: "POST", url: try RequestURL("https://h/?q=\(number)"), form: form)
    return (request, NonceTimestamp(timestamp: 1_700_000_000, nonce: Nonce("n\(number)")))
  }

  /// Returns a new signer's result.
  private func expected(_ request: SignableRequest, _ nonceTimestamp: NonceTimestamp) throws -> String {
    try Signer(client: Self.client, token: .none).sign(request, nonceTimestamp: nonceTimestamp).headerValue
  }

  @Test("several tasks can sign with a shared signer at the same time")
  func atTheSameTime() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          for number in 0..<100 {
            let (request, nonceTimestamp) = try request(task * 100 + number)
            let signed = try Self.signer.sign(request, nonceTimestamp: nonceTimestamp).headerValue
            #expect(try signed == expected(request, nonceTimestamp))
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test("a signer that has released its memory keeps none, and signs correctly")
  func released() throws {
    let signer = Signer(client: Self.client, token: .none)
    for (number, length) in [3, 100_000, 0].enumerated() {
      let (request, nonceTimestamp) = try request(number, length: length)
      #expect(try signer.sign(request, nonceTimestamp: nonceTimestamp).headerValue == expected(request, nonceTimestamp))
      #expect(signer.keepsMemory)
      signer.releaseMemory()
      #expect(!signer.keepsMemory)
    }
  }

  @Test("a signer signs a short request correctly after a long or a refused request")
  func oneAfterAnother() throws {
    for (number, length) in [3, 100_000, 3, 2_000, 0].enumerated() {
      let (request, nonceTimestamp) = try request(number, length: length)
      #expect(
        try Self.signer.sign(request, nonceTimestamp: nonceTimestamp).headerValue == expected(request, nonceTimestamp))
      let refused = SignableRequest(method: "GET", url: try RequestURL("https://h/?a=1&b=%zz"))
      #expect(throws: SigningError.badQuery(.badEscape(parameter: 1))) {
        try Self.signer.sign(refused, nonceTimestamp: nonceTimestamp)
      }
    }
  }

  @Test("signers with equal settings are equal, regardless of what they have signed")
  func equality() throws {
    let (request, nonceTimestamp) = try request(0)
    let (one, other) = (Signer(client: Self.client, token: .none), Signer(client: Self.client, token: .none))
    _ = try one.sign(request, nonceTimestamp: nonceTimestamp)
    #expect(one == other)
    #expect(one.hashValue == other.hashValue)
    #expect(one != Signer(client: Self.client, token: .empty))
    #expect(
      try one.sign(request, nonceTimestamp: nonceTimestamp) == other.sign(request, nonceTimestamp: nonceTimestamp))
  }
}
