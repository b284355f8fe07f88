import HomelineOAuth
import Testing

/// What a signer keeps between signatures shows in none of them.
@Suite("One signer for many")
struct SharedSignerTests {
  private static let client = ClientCredentials(identifier: "ck", secret: Secret("cs"))
  private static let signer = Signer(client: client, token: .none)

  private func request(_ number: Int, length: Int = 20) throws -> (SignableRequest, NonceTimestamp) {
    let form = [Parameter("n", "\(number)"), Parameter("text", String(repeating: "é", count: length))]
    let request = SignableRequest(method: "POST", url: try RequestURL("https://h/?q=\(number)"), form: form)
    return (request, NonceTimestamp(timestamp: 1_700_000_000, nonce: Nonce("n\(number)")))
  }

  /// What a signer that never signed before makes of it.
  private func expected(_ request: SignableRequest, _ stamp: NonceTimestamp) throws -> String {
    try Signer(client: Self.client, token: .none).sign(request, stamp: stamp).headerValue
  }

  @Test("tasks that sign at the same time do not disturb each other")
  func atTheSameTime() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          for number in 0..<100 {
            let (request, stamp) = try request(task * 100 + number)
            let signed = try Self.signer.sign(request, stamp: stamp).headerValue
            #expect(try signed == expected(request, stamp))
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test("a short request is signed rightly behind a long one, and behind one that was refused")
  func oneAfterAnother() throws {
    for (number, length) in [3, 100_000, 3, 2_000, 0].enumerated() {
      let (request, stamp) = try request(number, length: length)
      #expect(try Self.signer.sign(request, stamp: stamp).headerValue == expected(request, stamp))
      let refused = SignableRequest(method: "GET", url: try RequestURL("https://h/?a=1&b=%zz"))
      #expect(throws: SigningError.badQuery(.badEscape(parameter: 1))) { try Self.signer.sign(refused, stamp: stamp) }
    }
  }

  @Test("signers are equal when they sign the same, whatever they have signed")
  func equality() throws {
    let (request, stamp) = try request(0)
    let (one, other) = (Signer(client: Self.client, token: .none), Signer(client: Self.client, token: .none))
    _ = try one.sign(request, stamp: stamp)
    #expect(one == other)
    #expect(one.hashValue == other.hashValue)
    #expect(one != Signer(client: Self.client, token: .empty))
    #expect(try one.sign(request, stamp: stamp) == other.sign(request, stamp: stamp))
  }
}
