/// The paths of a server's endpoints (RFC 8414 §2); `nil` for endpoints that it does not have.
package struct OAuth2Paths: Sendable {
  package var authorization: String
  package var token: String
  package var revocation: String?
  package var deviceAuthorization: String?
  /// The page where a user types the code shown by a device (RFC 8628 §3.3).
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
