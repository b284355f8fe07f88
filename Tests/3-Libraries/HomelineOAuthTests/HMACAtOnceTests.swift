import Bytes
import Dispatch
import HomelineOAuth
import Testing

@Suite struct HMACAtOnceTests {
  @Test("signatures with many keys can be computed at the same time")
  func atOnce() throws {
    let expected = try (0..<16).map { try Self.signature(of: $0) }
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for round in 0..<4000 {
        let number = round % 16
        let signature = try? Self.signature(of: number)
        if signature != expected[number] { Issue.record("\(number): \(signature ?? "refused")") }
      }
    }
  }

  private static func signature(of number: Int) throws -> String {
    let key = SigningKey(clientSecret: Secret("secret \(number)"), tokenSecret: Secret("of a token"))
    return try Signature(.hmacSHA256, over: Array("text \(number)".utf8), key: key).text
  }
}
