/// The providers' endpoints, by their names in the configuration.
package enum EndpointName: String, Sendable, Hashable, CaseIterable {
  // OAuth 1.0a (RFC 5849 §2)
  case requestToken = "request_token"
  case accessToken = "access_token"
  case invalidateToken = "invalidate_token"
  // Authorisation, in either version
  case authorize
  // OAuth 2.0 (RFC 6749 §3, 7009, 8628)
  case token
  case revoke
  case deviceAuthorization = "device_authorization"
  // Resources
  case verifyCredentials = "verify_credentials"
  case usersMe = "users_me"
  case homeTimeline = "home_timeline"
  case tokenInfo = "token_info"
  case usersShow = "users_show"
  case userInfo = "userinfo"
}
