internal import CivilTime
internal import HomelineOAuth
internal import JSON

extension TokenGrant {
  /// By which protocol it was given: `oauth1` or `oauth2`.
  package var kind: String {
    switch self {
    case .oauth1: "oauth1"
    case .oauth2: "oauth2"
    }
  }

  /// Writes the members that only this kind has.
  func write(to json: inout JSONWriter) {
    switch self {
    case .oauth1(let credentials):
      json.member("token", credentials.identifier)
      credentials.secret.withExposedText { json.member("secret", $0) }
    case .oauth2(let token):
      token.accessToken.withExposedText { json.member("access_token", $0) }
      json.name("refresh_token")
      if let refreshToken = token.refreshToken {
        refreshToken.withExposedText { json.string($0) }
      } else {
        json.null()
      }
      json.member("scope", token.scope)
      json.member("client_id", token.clientID)
      json.member("issued_at", token.issuedAt.rfc3339)
      json.member("received_at", token.receivedAt?.rfc3339)
      json.member("expires_at", token.expiresAt?.rfc3339)
      json.member("renew_at", token.renewAt?.rfc3339)
    }
  }

  /// - Returns: `nil` for a kind that this version does not know.
  init?(kind: String, _ members: TokenMembers) throws(StoredToken.Unusable) {
    switch kind {
    case "oauth1":
      self = .oauth1(
        TokenCredentials(
          identifier: try members.text("token"), secret: Secret(try members.text("secret"))))
    case "oauth2":
      self = .oauth2(
        BearerToken(
          accessToken: Secret(try members.text("access_token")),
          refreshToken: members.optional("refresh_token").map { Secret($0) }, scope: members.optional("scope"),
          clientID: try members.text("client_id"), issuedAt: try members.moment("issued_at"),
          receivedAt: try members.optionalMoment("received_at"), expiresAt: try members.optionalMoment("expires_at"),
          renewAt: try members.optionalMoment("renew_at")))
    default: return nil
    }
  }
}
