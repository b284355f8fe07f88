import TestSupport
import Bytes
import Foundation
import HTTP
import HTTPClient
import HomelineOAuth
import Testing
import Time

@testable import Providers

@Suite struct GokuaiTests {
  private struct Vector: Decodable {
    let id: String
    let secret: String
    let params: [String: String]
    let sign: String
  }

  private struct Vectors: Decodable {
    let signing: [Vector]
  }

  private static func vector(_ id: String) throws -> Vector {
    let data = try Data(contentsOf: URL(filePath: Repository.path("Tests/Vectors/gokuai-vectors.json")))
    return try #require(try JSONDecoder().decode(Vectors.self, from: data).signing.first { $0.id == id })
  }

  private func provider() throws -> Gokuai { try #require(try Gokuai(at: ProviderLocation(.oauth2))) }

  @Test(
    "Gokuai's token requests are signed as in the vectors",
    arguments: ["token-password", "token-password-domain", "token-refresh"]
  )
  func vectors(id: String) throws {
    let vector = try Self.vector(id)
    let client = OAuth2Client(
      identifier: try #require(vector.params["client_id"]), secret: Secret(vector.secret), authentication: .none)
    let grant: AccessTokenGrant =
      if let token = vector.params["refresh_token"] {
        .refreshToken(Secret(token))
      } else {
        .password(
          userName: try #require(vector.params["username"]), Secret(try #require(vector.params["password"])))
      }
    let provider = try provider()
    guard case .oauth2(let profile) = provider.authorization, let endpoint = profile.endpoints?.token else {
      return #expect(Bool(false))
    }
    #expect(endpoint.text == "https://yk3.gokuai.com/m-api/oauth2/token2")
    let request = try provider.completed(
      AccessTokenRequest(endpoint: endpoint, client: client, grant: grant).request, of: client,
      at: Timestamp(seconds: 1_700_000_014))
    var sent = Dictionary(uniqueKeysWithValues: request.form.map { ($0.nameText ?? "", $0.valueText ?? "") })
    #expect(sent.removeValue(forKey: "sign") == vector.sign)
    #expect(sent == vector.params)
    #expect(request.authorization == nil)
  }

  @Test("a password is sent as an MD5 hash, or in base64 if the user name has a domain")
  func password() throws {
    let provider = try provider()
    let password = Secret("demo-password")
    let domain = try provider.passwordProof(password, of: "corp\\mira")
    #expect(domain.withExposedText { $0 == (try? Self.vector("token-password-domain").params["password"]) })
    let plain = try provider.passwordProof(Secret("hello"), of: "u@example.org")
    #expect(plain.withExposedText { $0 == "5d41402abc4b2a76b9719d911017c592" })
  }

  @Test(
    "the error code, regardless of the status, shows whether a failure is final, temporary or caused by the client"
  )
  func refusals() throws {
    func failure(_ body: String, status: Int = 200) throws -> ProviderFailure {
      let response = ProviderResponse(
        status: status, body: Array(body.utf8), receivedAt: Timestamp(seconds: 1), hiding: .nothing
      )
      let error = try #require(throws: OAuth2ResponseError.self) { try AccessTokenResponse(response.oauth) }
      return try provider().classifyToken(error, in: response)
    }
    for status in [200, 401] {
      guard case .needsLogin = try failure(#"{"error_code":401010,"error_msg":"x"}"#, status: status) else {
        return #expect(Bool(false))
      }
      guard case .configuration = try failure(#"{"error_code":40103}"#, status: status) else {
        return #expect(Bool(false))
      }
    }
    guard case .transient = try failure(#"{"error_code":50201}"#, status: 502) else { return #expect(Bool(false)) }
  }
}
