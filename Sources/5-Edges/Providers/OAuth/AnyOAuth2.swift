package import Bytes
package import HTTPClient
internal import HomelineOAuth
internal import JSON
internal import Timeline

/// Any OAuth 2.0 server, whose token is kept valid for other programs. It has no timeline.
package struct AnyOAuth2: Provider {
  package static let name = "oauth2"

  package let name: String
  package let authorization: ProviderAuthorization
  package let server: String
  private let userInfo: RequestURL?

  package let traits: ProviderTraits

  package init?(at place: ProviderLocation) throws(RequestURLError) { try self.init(nil, at: place) }

  /// - Parameter known: the server whose addresses are used unless the account specifies its own; `nil` for none.
  init?(_ known: KnownServer?, at account: ProviderLocation) throws(RequestURLError) {
    guard account.version == .oauth2 else { return nil }
    let place = try known?.completing(account) ?? account
    name = known?.name ?? Self.name
    traits = ProviderTraits(requestsPerMinute: 60, loginLimit: known?.loginLimit)
    let issuer = place.issuer ?? place.base?.folder
    let endpoints = place.endpoints[.token].map { token in
      OAuth2Endpoints(
        issuer: issuer, promisesIssuer: false, authorize: place.endpoints[.authorize], token: token,
        revocation: place.endpoints[.revoke], deviceAuthorization: place.endpoints[.deviceAuthorization],
        userInfo: place.endpoints[.userInfo])
    }
    guard
      let origin = try issuer.map({ issuer throws(RequestURLError) in try RequestURL(issuer).origin })
        ?? endpoints?.token.origin
    else { return nil }
    server = issuer ?? origin
    userInfo = place.endpoints[.userInfo]
    // The callback path identifies the server (RFC 8252 §8.10). A client with configured endpoints has registered the plain path, so it
    // keeps that path.
    var profile = OAuth2Profile(
      endpoints: endpoints, metadata: issuer.map { OAuth2Profile.Metadata(issuer: $0) }, scopes: place.scopes ?? [])
    profile.overrides.authorize = place.endpoints[.authorize]
    profile.overrides.token = place.endpoints[.token]
    profile.overrides.revocation = place.endpoints[.revoke]
    profile.overrides.deviceAuthorization = place.endpoints[.deviceAuthorization]
    profile.overrides.userInfo = place.endpoints[.userInfo]
    profile.readsIDToken = true
    // These servers expect the secret of a client in the form.
    if known != nil { profile.clientAuthentication = .body }
    profile.configuredAuthentication = place.clientAuthentication
    profile.authorizeParameters = place.authorizeParameters.sorted { $0.key < $1.key }.map {
      Parameter($0.key, $0.value)
    }
    authorization = .oauth2(profile)
  }

  package var host: String { (try? RequestURL(server).origin) ?? server }

  package func userRequest() -> ClientRequest? { userInfo.map { .get($0, query: []) } }

  /// Reads an OpenID Connect response (Core §5.3.2): `sub`, and the names that it contains.
  package func userStep(after response: ProviderResponse) throws(ProviderFailure) -> UserStep {
    try object(in: response, expected: "a user") { cursor in
      var texts: [String: String] = [:]
      try cursor.members { json, name in
        switch try json.peek() {
        case .string: texts[name.text] = try json.string()
        case .number: texts[name.text] = try json.numberText()
        default: try json.skip()
        }
      }
      guard let id = texts["sub"] ?? texts["id"], !id.isEmpty else { return nil }
      let name = texts["preferred_username"] ?? texts["username"] ?? texts["email"] ?? id
      return .user(User(id: id, screenName: name, name: texts["name"] ?? name))
    }
  }

  package func pageRequest(for query: TimelineQuery) -> ClientRequest {
    preconditionFailure("pageRequest(for:) called on a provider without a timeline")
  }

  package func page(from response: ProviderResponse, for query: TimelineQuery) throws(ProviderFailure) -> PageResponse {
    preconditionFailure("page(from:for:) called on a provider without a timeline")
  }
}
