import HTTP
import HomelineOAuth
import JSON
import Sandbox
import SandboxSupport
import Time

/// An OAuth 2.0 server with metadata, which records the authorisation requests.
struct PlainOpenIDServer: SimulatedProvider {
  var plain = PlainAuthorizationServer()
  /// The scopes in the metadata; `nil` for none.
  let lists: [String]?
  /// Whether the metadata is that of an OpenID provider.
  let isOpenID: Bool
  /// The parameters of the authorisation requests so far.
  private(set) var asked: [[String: String]] = []

  init(lists: [String]?, isOpenID: Bool) {
    self.lists = lists
    self.isOpenID = isOpenID
    plain.oauth2.policy.redirectMatch = .anyLoopbackPort
    plain.oauth2.policy.defaultScopes = ["mail"]
    plain.oauth2.register(
      SandboxClient(
        identifier: PlainAuthorizationServer.client.identifier, redirects: ["http://127.0.0.1/callback"],
        scopes: ["mail"] + (lists ?? ["openid"])))
  }

  mutating func response(to request: Request, at now: Timestamp) -> SimulatedResponse {
    if request.target.path == plain.oauth2.paths.authorization {
      let form = (try? FormEncoding.decode(request.body)) ?? []
      asked.append(Dictionary(form.map { ($0.nameText ?? "", $0.valueText ?? "") }) { first, _ in first })
    }
    guard request.target.path == "/.well-known/openid-configuration" else {
      return plain.response(to: request, at: now)
    }
    let base = "http://\(request.headers.first(.host) ?? "")"
    var writer = JSONWriter()
    writer.object { json in
      json.member("issuer", base)
      json.member("authorization_endpoint", base + plain.oauth2.paths.authorization)
      json.member("token_endpoint", base + plain.oauth2.paths.token)
      if isOpenID { json.member("id_token_signing_alg_values_supported", list: ["RS256"]) { $0.string($1) } }
      if let lists { json.member("scopes_supported", list: lists) { $0.string($1) } }
    }
    return SimulatedResponse(
      Response(status: .ok, headers: [.contentType: "application/json"], body: writer.bytes))
  }
}
