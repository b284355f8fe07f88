internal import Bytes

/// An OAuth 2.0 server for mail programs whose addresses are known, so that an account needs only a client.
struct KnownServer: Sendable {
  /// The provider's name in the configuration.
  let name: String
  let authorize: String
  let token: String
  /// The revocation endpoint; `nil` if the server does not revoke individual tokens.
  let revoke: String?
  /// The device authorisation endpoint; `nil` if the server does not support the device grant for mail.
  let deviceAuthorization: String?
  /// The permission to read mail with IMAP and to send it with SMTP, and a refresh token.
  let scopes: [String]
  /// The default parameters of the authorisation request.
  let authorizeParameters: [String: String]
  let loginLimit: LoginLimit?

  /// The servers in this version. A new server is an entry here and in `ProviderDefaults.known`.
  static let all = [
    KnownServer(
      name: "google", authorize: "https://accounts.google.com/o/oauth2/v2/auth",
      token: "https://oauth2.googleapis.com/token", revoke: "https://oauth2.googleapis.com/revoke",
      deviceAuthorization: nil, scopes: ["https://mail.google.com/"],
      // Without these, Google issues no refresh token, or only at the first consent.
      authorizeParameters: ["access_type": "offline", "prompt": "consent"],
      loginLimit: LoginLimit(
        life: .seconds(7 * 86_400),
        reason:
          "Google ends logins after 7 days while the publishing status of the client's app is Testing. If it is, publish the "
          + "app in the Google Cloud console (Google Auth Platform, Audience) and log in again.")),
    KnownServer(
      name: "microsoft", authorize: "https://login.microsoftonline.com/common/oauth2/v2.0/authorize",
      token: "https://login.microsoftonline.com/common/oauth2/v2.0/token", revoke: nil,
      deviceAuthorization: "https://login.microsoftonline.com/common/oauth2/v2.0/devicecode",
      scopes: [
        "https://outlook.office.com/IMAP.AccessAsUser.All", "https://outlook.office.com/SMTP.Send", "offline_access",
      ], authorizeParameters: [:], loginLimit: nil),
    KnownServer(
      name: "fastmail", authorize: "https://api.fastmail.com/oauth/authorize",
      // This is also the address for exchanging codes.
      token: "https://api.fastmail.com/oauth/refresh", revoke: "https://api.fastmail.com/oauth/revoke",
      deviceAuthorization: nil,
      scopes: ["https://www.fastmail.com/dev/protocol-imap", "https://www.fastmail.com/dev/protocol-smtp"],
      authorizeParameters: [:], loginLimit: nil),
  ]

  /// Returns the location of an account. If the account specifies a server by its issuer or endpoints, no known address is used, because a
  /// token belongs to the server that issued it.
  func completing(_ place: ProviderLocation) throws(RequestURLError) -> ProviderLocation {
    var all = place
    all.scopes = place.scopes ?? scopes
    all.authorizeParameters = authorizeParameters.merging(place.authorizeParameters) { _, configured in configured }
    guard place.issuer == nil, place.base == nil, place.endpoints.isEmpty else { return all }
    let addresses: [(EndpointName, String?)] = [
      (.authorize, authorize), (.token, token), (.revoke, revoke), (.deviceAuthorization, deviceAuthorization),
    ]
    for case (let name, let address?) in addresses { all.endpoints[name] = try RequestURL(address) }
    return all
  }
}
