import Bytes
import HomelineOAuth
import Testing

@Suite("Requests to the token endpoint")
struct OAuth2RequestTests {
  private let endpoint: RequestURL
  private let verifier: CodeVerifier

  init() throws {
    endpoint = try RequestURL("https://as.example/token?v=1")
    verifier = try #require(CodeVerifier("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"))
  }

  private func client(_ authentication: ClientAuthentication, secret: String? = "s:%") -> OAuth2Client {
    OAuth2Client(identifier: "i:d", secret: secret.map { Secret($0) }, authentication: authentication)
  }

  private func request(_ grant: AccessTokenGrant, _ client: OAuth2Client) -> OAuth2FormRequest {
    AccessTokenRequest(endpoint: endpoint, client: client, grant: grant).request
  }

  @Test("an authorisation code is sent with its redirect URI, its verifier and the public client's identifier")
  func code() {
    let request = request(
      .authorizationCode(Secret("C+1"), redirect: "http://127.0.0.1:1/cb", verifier: verifier), client(.none))
    #expect(request.url == endpoint)
    #expect(request.authorization == nil)
    #expect(
      FormEncoding.encode(request.form) == "grant_type=authorization_code&code=C%2B1"
        + "&redirect_uri=http%3A%2F%2F127.0.0.1%3A1%2Fcb&code_verifier=dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        + "&client_id=i%3Ad")
  }

  @Test("a token request contains no code verifier if the login has none")
  func withoutVerifier() {
    let request = request(.authorizationCode(Secret("C"), redirect: "r", verifier: nil), client(.none))
    #expect(FormEncoding.encode(request.form) == "grant_type=authorization_code&code=C&redirect_uri=r&client_id=i%3Ad")
  }

  @Test("a client uses only one authentication method")
  func authentication() {
    let body = request(.refreshToken(Secret("R")), client(.body))
    #expect(
      FormEncoding.encode(body.form)
        == "grant_type=refresh_token&refresh_token=R&client_id=i%3Ad&client_secret=s%3A%25")
    #expect(body.authorization == nil)
    let basic = request(.refreshToken(Secret("R")), client(.basic))
    #expect(FormEncoding.encode(basic.form) == "grant_type=refresh_token&refresh_token=R")
    // This is base64 for "i%3Ad:s%3A%25".
    #expect(basic.authorization == Secret("Basic aSUzQWQ6cyUzQSUyNQ=="))
  }

  @Test("an empty client secret is sent if the method requires a secret but the client has no secret")
  func withoutSecret() {
    #expect(request(.refreshToken(Secret("R")), client(.basic, secret: nil)).authorization == Secret("Basic aSUzQWQ6"))
  }

  @Test("a device code is sent with its URN grant type")
  func device() {
    #expect(
      FormEncoding.encode(request(.deviceCode(Secret("D")), client(.none)).form)
        == "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code&device_code=D&client_id=i%3Ad")
    let request = DeviceAuthorizationRequest(endpoint: endpoint, client: client(.none), scopes: ["a", "b"]).request
    #expect(FormEncoding.encode(request.form) == "scope=a%20b&client_id=i%3Ad")
  }

  @Test("a revocation request contains the token, and the token's type if it is known")
  func revocation() {
    func form(_ hint: String?) -> String {
      FormEncoding.encode(
        RevocationRequest(endpoint: endpoint, client: client(.none), token: Secret("T"), hint: hint).request.form)
    }
    #expect(form("refresh_token") == "token=T&token_type_hint=refresh_token&client_id=i%3Ad")
    #expect(form(nil) == "token=T&client_id=i%3Ad")
  }

  @Test("printing a token request does not show its secrets")
  func notPrinted() {
    let request = request(.refreshToken(Secret("hidden-token")), client(.body, secret: "hidden-secret"))
    var dumped = ""
    dump(request, to: &dumped)
    for text in ["\(request)", dumped] {
      #expect(!text.contains("hidden"))
    }
    #expect("\(request)".contains("refresh_token"))
  }
}
