/// Where the endpoints of a server are, for its metadata (RFC 8414 §2); nil for those that it has not.
package struct OAuth2Paths: Sendable {
  package var authorization: String
  package var token: String
  package var revocation: String?
  package var deviceAuthorization: String?
  /// The page on which a user types what a device shows (RFC 8628 §3.3).
  package var verification: String

  package init(
    authorization: String = "/oauth/authorize", token: String = "/oauth/token", revocation: String? = "/oauth/revoke",
    deviceAuthorization: String? = nil, verification: String = "/oauth/device"
  ) {
    self.authorization = authorization
    self.token = token
    self.revocation = revocation
    self.deviceAuthorization = deviceAuthorization
    self.verification = verification
  }
}
