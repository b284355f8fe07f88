import HomelineOAuth
import Testing

@Suite("Issuer checks")
struct IssuerRuleTests {
  @Test("issuers are compared byte by byte, as in the vectors", arguments: OAuth2Vectors.published.issuerComparisons)
  func vectors(vector: OAuth2Vectors.IssuerComparison) {
    for isPromised in [true, false] {
      let rule = IssuerRule(expected: vector.expected, isPromised: isPromised)
      #expect((rule.objection(to: vector.received) == nil) == vector.accept)
    }
  }

  @Test("a missing issuer is an error only if the server's metadata promises one")
  func missing() {
    #expect(IssuerRule(expected: "https://as.example", isPromised: true).objection(to: nil) != nil)
    #expect(IssuerRule(expected: nil, isPromised: true).objection(to: nil) != nil)
    #expect(IssuerRule(expected: "https://as.example", isPromised: false).objection(to: nil) == nil)
  }

  @Test("without an expected issuer, any issuer is accepted")
  func unknown() {
    #expect(IssuerRule(expected: nil, isPromised: true).objection(to: "https://any.example") == nil)
    #expect(IssuerRule(expected: nil, isPromised: false).objection(to: "") == nil)
  }

  @Test("neither an empty issuer nor one that merely looks like the expected issuer matches")
  func wrong() {
    #expect(IssuerRule(expected: "https://as.example", isPromised: false).objection(to: "") != nil)
    #expect(
      IssuerRule(expected: "https://as.example/\u{E9}", isPromised: false).objection(to: "https://as.example/e\u{301}")
        != nil)
  }

  @Test("issuers quoted in messages are stripped of control characters")
  func cleaned() throws {
    let objection = try #require(
      IssuerRule(expected: "https://as.example", isPromised: false).objection(to: "x\u{1B}[2J"))
    #expect(objection.contains("“x[2J”"))
  }
}
