import Bytes
import HomelineOAuth
import Testing

/// Issuers with a placeholder for the tenant, as in Microsoft's metadata.
@Suite struct IssuerTemplateTests {
  private static let tenant = "9f1c2e4a-0000-4000-8000-5f6b7c8d9e0f"
  private static let template = "https://login.example/{tenantid}/v2.0"

  private func metadata(_ received: String, configured: String) throws -> ServerMetadata {
    let document = #"{"issuer":"\#(received)","token_endpoint":"https://login.example/t"}"#
    return try ServerMetadata(OAuthResponse(status: 200, body: Array(document.utf8)), issuer: configured)
  }

  @Test(
    "metadata with a tenant placeholder is accepted for multi-tenant issuers",
    arguments: ["common", "organizations", "consumers"])
  func shared(segment: String) throws {
    let configured = "https://login.example/\(segment)/v2.0"
    #expect(try metadata(Self.template, configured: configured).endpoints.issuer == Self.template)
  }

  @Test(
    "a tenant placeholder is refused in any other issuer or position",
    arguments: [
      (template, "https://login.example/\(tenant)/v2.0"), (template, "https://other.example/common/v2.0"),
      (template, "https://login.example/common/v2.0/"), (template, "https://login.example/common"),
      ("https://{tenantid}/common/v2.0", "https://common/common/v2.0"),
      ("https://login.example/{tenantid}/{tenantid}", "https://login.example/common/common"),
      ("https://login.example/a{tenantid}/v2.0", "https://login.example/acommon/v2.0"),
      ("https://login.example/{tenant}/v2.0", "https://login.example/common/v2.0"),
    ])
  func elsewhere(received: String, configured: String) {
    #expect(throws: ServerMetadataError.self) { try metadata(received, configured: configured) }
  }

  @Test(
    "if the issuer has a tenant placeholder, a redirect may come from any tenant, but from no other server",
    arguments: [
      ("https://login.example/\(tenant)/v2.0", true), (template, true), ("https://login.example//v2.0", false),
      ("https://login.example/a/b/v2.0", false), ("https://other.example/\(tenant)/v2.0", false),
      ("https://login.example/\(tenant)/v1.0", false), ("https://login.example/a%2Fb/v2.0", false), ("", false),
    ])
  func redirects(received: String, isAccepted: Bool) {
    let rule = IssuerRule(expected: Self.template, isPromised: true)
    #expect((rule.objection(to: received) == nil) == isAccepted)
  }

  private func token(_ claims: String) -> OAuth.Secret {
    let parts = [#"{"alg":"RS256"}"#, #"{\#(claims),"sub":"u","aud":"c","exp":2000000000}"#, "signature"]
    return OAuth.Secret(parts.map { Base64URL.encode(Array($0.utf8)) }.joined(separator: "."))
  }

  private func issuer(of claims: String) throws -> String {
    try IDToken(token(claims), issuer: Self.template, clientID: "c", nonce: nil, now: 1_900_000_000).issuer
  }

  @Test("if the issuer has a tenant placeholder, an ID Token must contain the same tenant in iss and tid")
  func idToken() throws {
    let issuer = "https://login.example/\(Self.tenant)/v2.0"
    #expect(try self.issuer(of: #""iss":"\#(issuer)","tid":"\#(Self.tenant)""#) == issuer)
    #expect(throws: IDTokenError.wrong("iss")) { try self.issuer(of: #""iss":"\#(issuer)","tid":"other""#) }
    #expect(throws: IDTokenError.missing("tid")) { try self.issuer(of: #""iss":"\#(issuer)""#) }
    #expect(throws: IDTokenError.wrong("iss")) {
      try self.issuer(of: #""iss":"https://other.example/\#(Self.tenant)/v2.0","tid":"\#(Self.tenant)""#)
    }
  }
}
