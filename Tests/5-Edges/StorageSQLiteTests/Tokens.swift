import Bytes
import HomelineOAuth
import Storage
import Time
import Timeline

let ann = AccountIdentity(server: "https://api.test", user: User(id: "42", screenName: "ann", name: "Ann"))

func token(_ text: String = "token", secret: String = "s3cret") -> StoredToken {
  StoredToken(
    provider: "twitter", identity: ann,
    grant: .oauth1(TokenCredentials(identifier: text, secret: Secret(secret))), authorisedAt: noon)
}

extension StoredToken {
  /// The identifier of an OAuth 1.0a token; `nil` for other tokens.
  var identifier: String? { if case .oauth1(let credentials) = grant { credentials.identifier } else { nil } }
}

/// Returns an OAuth 2.0 token that can be renewed.
func renewable(_ name: String) -> StoredToken {
  StoredToken(
    provider: "x", identity: ann,
    grant: .oauth2(
      BearerToken(
        accessToken: Secret("access-\(name)"), refreshToken: Secret("refresh-\(name)"), scope: "read write",
        clientID: "client", issuedAt: noon, expiresAt: noon + .seconds(7200), renewAt: noon + .seconds(6900))),
    authorisedAt: noon)
}
