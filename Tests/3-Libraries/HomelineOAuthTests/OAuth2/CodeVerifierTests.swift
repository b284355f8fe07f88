import Bytes
import HomelineOAuth
import Testing

@Suite("Code verifier and state")
struct CodeVerifierTests {
  @Test("base64url encoding yields the results in the vectors", arguments: OAuth2Vectors.published.base64)
  func base64(vector: OAuth2Vectors.Base64) {
    #expect(Base64URL.encode(vector.bytes) == vector.expected)
    #expect(Base64URL.decode(vector.expected) == vector.bytes)
  }

  @Test("code challenges equal those in the vectors", arguments: OAuth2Vectors.published.challenges)
  func challenge(vector: OAuth2Vectors.Challenge) throws {
    #expect(Base64URL.encode(vector.verifierBytes) == vector.verifier)
    #expect(try #require(CodeVerifier(vector.verifier)).challenge == vector.challenge)
  }

  @Test("a code verifier has 43 to 128 characters", arguments: OAuth2Vectors.published.verifierSyntax)
  func length(vector: OAuth2Vectors.VerifierSyntax) {
    #expect((CodeVerifier(String(repeating: "~", count: vector.length)) != nil) == vector.valid)
  }

  @Test("a code verifier contains only unreserved characters", arguments: ["+", "/", "=", " ", "é", "%", "\n"])
  func characters(other: String) {
    #expect(CodeVerifier(String(repeating: "a", count: 50) + other) == nil)
    #expect(CodeVerifier("AZaz09-._~" + String(repeating: "a", count: 40)) != nil)
  }

  @Test("random code verifiers are all different, have 43 characters and can be restored from text")
  func random() throws {
    let drawn = try (0..<100).map { _ in try CodeVerifier.random() }
    #expect(Set(drawn).count == drawn.count)
    for verifier in drawn {
      let text = verifier.secret.withExposedText { $0 }
      #expect(text.utf8.count == 43)
      #expect(CodeVerifier(text) == verifier)
      #expect(verifier.challenge.utf8.count == 43)
      #expect(verifier.challenge != text)
    }
  }

  @Test("printing a code verifier does not show it")
  func notPrinted() throws {
    let verifier = try CodeVerifier.random()
    #expect(!"\(verifier)".contains(verifier.secret.withExposedText { $0 }))
  }

  @Test("random states are all different and contain only characters that need no encoding")
  func state() throws {
    let drawn = try (0..<100).map { _ in try OAuth2State.random() }
    #expect(Set(drawn).count == drawn.count)
    let letters = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    for state in drawn {
      #expect(state.count == 32)
      #expect(state.allSatisfy(letters.contains))
    }
  }
}
