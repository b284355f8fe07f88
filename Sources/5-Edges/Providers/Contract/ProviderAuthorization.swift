/// How a provider's users authorise this program.
package enum ProviderAuthorization: Sendable, Hashable {
  case oauth1(OAuth1Endpoints)
  case oauth2(OAuth2Profile)
}
