/// How a provider's users authorise this program.
package enum ProviderAuthorization: Sendable, Hashable {
  case oauth1(OAuth1Endpoints)
  case oauth2(OAuth2Profile)

  /// Returns whether both authorise the same requests once the user has logged in. Only a login names scopes.
  package func isSame(as other: ProviderAuthorization) -> Bool {
    guard case .oauth2(var profile) = self, case .oauth2(let others) = other else { return self == other }
    profile.scopes = others.scopes
    return profile == others
  }
}
