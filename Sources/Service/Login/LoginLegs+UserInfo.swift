internal import HomelineOAuth
internal import Providers

extension LoginLegs {
  /// Asks whose token it is: in the provider's own way, else in OpenID Connect's where the token is good for that (Core §5.3).
  func userRequest(_ profile: OAuth2Profile, at endpoints: OAuth2Endpoints?) -> ProviderRequest? {
    if let request = means.provider.userRequest() { return request }
    guard profile.scopes.contains("openid") else { return nil }
    return endpoints?.userInfo.map { .get($0, query: []) }
  }
}
