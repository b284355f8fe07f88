internal import HTTP
internal import JSON
internal import Time

/// The user of the simulated drive, and the tokens that the password grant issues.
struct GokuaiUsers: Sendable {
  static let name = "mira@example.org"
  static let password = "open sesame"
  /// The MD5 of the password.
  static let proof = "54ef36ec71201fdf9d1423fd26f97f6b"
  static let tokenLife = 3600

  private var accessTokens: [String: Int64] = [:]
  private var refreshTokens: Set<String> = []
  private var count = 0

  /// Checks the token of a request.
  func check(_ token: String?, at now: Timestamp) throws(GokuaiError) {
    guard let token, let end = accessTokens[token] else { throw GokuaiError(code: 40101, message: "token invalid") }
    guard now.seconds < end else { throw GokuaiError(code: 40102, message: "token expired") }
  }

  /// Issues a token for a password or a refresh token. A refresh token can be used only once.
  mutating func issue(_ form: GokuaiForm, at now: Timestamp) throws(GokuaiError) -> Response {
    switch form.value("grant_type") {
    case "password":
      guard form.value("username") == Self.name, form.value("password") == Self.proof else {
        throw GokuaiError(code: 40303, message: "wrong name or password")
      }
    case "refresh_token":
      guard let token = form.value("refresh_token"), refreshTokens.remove(token) != nil else {
        throw GokuaiError(code: 401010, message: "refresh_token invalid")
      }
    default: throw .invalid("grant_type is not supported")
    }
    count += 1
    let (access, refresh) = ("gokuai-access-token-\(count)", "gokuai-refresh-token-\(count)")
    accessTokens[access] = now.seconds + Int64(Self.tokenLife)
    refreshTokens.insert(refresh)
    return .json { json in
      json.member("access_token", access)
      json.member("expires_in", Self.tokenLife)
      json.member("refresh_token", refresh)
      json.member("dateline", now.seconds)
    }
  }
}
