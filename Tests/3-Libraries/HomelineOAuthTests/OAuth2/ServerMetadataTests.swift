import Bytes
import HomelineOAuth
import Testing

@Suite("Server metadata")
struct ServerMetadataTests {
  private func read(
    _ members: String, issuer: String = "https://as.example", status: Int? = 200, slash: Bool = false
  ) throws -> ServerMetadata {
    try ServerMetadata(
      OAuthResponse(status: status, body: Array("{\(members)}".utf8)), issuer: issuer, acceptsTrailingSlash: slash)
  }

  private let least = #""issuer":"https://as.example","token_endpoint":"https://as.example/t""#

  @Test("the first metadata URL follows RFC 8414", arguments: OAuth2Vectors.published.metadataURLs)
  func address(vector: OAuth2Vectors.MetadataURL) throws {
    #expect(ServerMetadata.addresses(of: try RequestURL(vector.issuer)).first?.text == vector.url)
  }

  @Test(
    "the second metadata URL follows OpenID Connect Discovery",
    arguments: [
      ("https://as.example", "https://as.example/.well-known/openid-configuration"),
      ("https://as.example/a/b/", "https://as.example/a/b/.well-known/openid-configuration"),
      ("http://127.0.0.1:99/", "http://127.0.0.1:99/.well-known/openid-configuration"),
    ])
  func openID(issuer: String, address: String) throws {
    let addresses = ServerMetadata.addresses(of: try RequestURL(issuer))
    #expect(addresses.count == 2)
    #expect(addresses.last?.text == address)
  }

  @Test("all supported members of the metadata are parsed")
  func whole() throws {
    let metadata = try read(
      least + """
        ,"authorization_endpoint":"https://as.example/a","revocation_endpoint":"https://as.example/r",
        "device_authorization_endpoint":"https://as.example/d","userinfo_endpoint":"https://other.example/u",
        "authorization_response_iss_parameter_supported":true,"scopes_supported":["read"],
        "code_challenge_methods_supported":["plain","S256"],"response_types_supported":["code"],"jwks_uri":7,
        "token_endpoint_auth_methods_supported":["client_secret_post","private_key_jwt","none","client_secret_basic"]
        """)
    #expect(
      metadata.endpoints
        == OAuth2Endpoints(
          issuer: "https://as.example", promisesIssuer: true, authorize: try RequestURL("https://as.example/a"),
          token: try RequestURL("https://as.example/t"), revocation: try RequestURL("https://as.example/r"),
          deviceAuthorization: try RequestURL("https://as.example/d"),
          userInfo: try RequestURL("https://other.example/u"),
          clientAuthentications: [.body, .none, .basic]))
    #expect(metadata.codeChallengeMethods == ["plain", "S256"])
    #expect(metadata.scopes == ["read"])
  }

  @Test("members that are missing from the metadata are nil")
  func minimal() throws {
    let metadata = try read(
      least + #","revocation_endpoint":null,"authorization_response_iss_parameter_supported":"true""#)
    #expect(
      metadata.endpoints
        == OAuth2Endpoints(issuer: "https://as.example", token: try RequestURL("https://as.example/t")))
    #expect(metadata.codeChallengeMethods == nil && metadata.scopes == nil)
    #expect(
      try read(least + #","token_endpoint_auth_methods_supported":["tls_client_auth"]"#).endpoints.clientAuthentications
        == [])
  }

  @Test(
    "the issuer in the metadata must equal the requested issuer byte by byte",
    arguments: OAuth2Vectors.published.issuerComparisons)
  func issuer(vector: OAuth2Vectors.IssuerComparison) {
    let members = #""issuer":"\#(vector.received)","token_endpoint":"https://as.example/t""#
    if vector.accept {
      #expect(throws: Never.self) { try read(members, issuer: vector.expected) }
    } else {
      #expect(throws: ServerMetadataError.issuerMismatch(expected: vector.expected, received: vector.received)) {
        try read(members, issuer: vector.expected)
      }
    }
  }

  @Test("if only the final slash differs, the error shows how to write the issuer")
  func slashAdvice() {
    for (expected, received, end) in [
      ("https://as.example/o/mail", "https://as.example/o/mail/", "with"),
      ("https://as.example/o/mail/", "https://as.example/o/mail", "without"),
    ] {
      let error = #expect(throws: ServerMetadataError.self) {
        try read(#""issuer":"\#(received)","token_endpoint":"https://as.example/t""#, issuer: expected)
      }
      #expect(
        error?.description == "The server calls itself \(received) (\(end) a slash at the end); write it so.")
    }
  }

  @Test("a trailing slash on the issuer can be allowed, and is preserved")
  func trailingSlash() throws {
    func members(_ issuer: String) -> String { #""issuer":"\#(issuer)","token_endpoint":"https://as.example/t""# }
    #expect(try read(members("https://as.example/"), slash: true).endpoints.issuer == "https://as.example/")
    #expect(try read(least, slash: true).endpoints.issuer == "https://as.example")
    for other in ["https://as.example//", "https://AS.example/", "https://evil.example/"] {
      #expect(throws: ServerMetadataError.self) { try read(members(other), slash: true) }
    }
  }

  @Test(
    "endpoints must use https, unless both they and the server are on this machine",
    arguments: [
      ("https://as.example", "http://as.example/t", false), ("https://as.example", "http://127.0.0.1/t", false),
      ("https://as.example", "https://localhost/t", false), ("http://127.0.0.1:9", "http://127.0.0.1:9/t", true),
      ("http://localhost:9", "http://[::1]:9/t", true), ("http://127.0.0.1:9", "https://as.example/t", true),
      ("http://127.0.0.1:9", "http://as.example/t", false),
    ])
  func endpoints(issuer: String, endpoint: String, isTaken: Bool) {
    let taken = try? read(#""issuer":"\#(issuer)","token_endpoint":"\#(endpoint)""#, issuer: issuer)
    #expect((taken != nil) == isTaken)
    let other = #""issuer":"\#(issuer)","token_endpoint":"https://as.example/t","revocation_endpoint":"\#(endpoint)""#
    #expect(((try? read(other, issuer: issuer)) != nil) == isTaken)
  }

  @Test("the error names missing and invalid members of the metadata")
  func problems() throws {
    #expect(throws: ServerMetadataError.missing("issuer")) { try read(#""token_endpoint":"https://as.example/t""#) }
    #expect(throws: ServerMetadataError.missing("token_endpoint")) { try read(#""issuer":"https://as.example""#) }
    #expect(throws: ServerMetadataError.missing("token_endpoint")) {
      try read(#""issuer":"https://as.example","token_endpoint":7"#)
    }
    #expect(throws: ServerMetadataError.badEndpoint("token_endpoint", .unsupportedScheme)) {
      try read(#""issuer":"https://as.example","token_endpoint":"/t""#)
    }
    #expect(throws: ServerMetadataError.duplicateMember("issuer")) {
      try read(least + #","issuer":"https://as.example""#)
    }
  }

  @Test("the error about an unsafe endpoint gives the reason and the address")
  func unsafeEndpoints() {
    let plain = #"authorization_endpoint":"http://login.example/auth""#
    let local = #"token_endpoint":"http://127.0.0.1:8080/token""#
    for (member, sentence) in [
      (
        plain,
        "The server's metadata names an authorization_endpoint with http: http://login.example/auth. homeline uses only https, except on "
          + "this computer"
      ),
      (
        local,
        "The server's metadata names a token_endpoint on this computer: http://127.0.0.1:8080/token. homeline uses such an address only if "
          + "the server itself is on this computer"
      ),
    ] {
      let document =
        #"{"issuer":"https://as.example","\#(member)"#
        + (member == plain ? #","token_endpoint":"https://as.example/t"}"# : "}")
      do throws(ServerMetadataError) {
        _ = try ServerMetadata(
          OAuthResponse(status: 200, body: Array(document.utf8)), issuer: "https://as.example")
        Issue.record("the metadata was read")
      } catch { #expect("\(error)" == sentence) }
    }
  }

  @Test(
    "a response without metadata is described by its status and kind",
    arguments: [
      (404, "<html><body>no</body></html>", "a web page"), (200, "<!doctype html><html></html>", "a web page"),
      (404, "", "an empty body"), (302, "", "an empty body"), (200, "", "an empty body"),
      (500, #"{"issuer":"https://as.example","token_endpoint":"https://as.example/t"}"#, "something else"),
    ])
  func unreadable(status: Int, body: String, message: String) {
    let response = OAuthResponse(status: status, body: Array(body.utf8))
    #expect(throws: ServerMetadataError.unreadable(status: status, message)) {
      try ServerMetadata(response, issuer: "https://as.example")
    }
    #expect(ServerMetadataError.unreadable(status: status, message).status == status)
  }
}
