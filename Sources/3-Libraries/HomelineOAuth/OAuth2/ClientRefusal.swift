internal import Bytes
public import OAuthValues

/// Responses that report that the server does not know the client.
extension OAuth2EndpointError {
  /// Whether the server does not know the client, or no longer accepts it (RFC 6749 §5.2). Registering the client again may help.
  public var refusesClient: Bool { Self.clientCodes.contains(code) }

  static let clientCodes: Set<String> = ["invalid_client", "unauthorized_client"]
}

extension OAuth.Response {
  /// Whether the authorisation endpoint refuses the client or its redirect URI, in response to a request without the user's session.
  ///
  /// Such a server must not redirect; it shows an error to the user instead (RFC 6749 §4.1.2.1), usually a page. All other responses, such
  /// as a redirect to a login page or a challenge from something in between, say nothing about the client.
  public var refusesAuthorizingClient: Bool {
    guard status == 400 || status == 401 else { return false }
    switch body.first(where: { $0 > 0x20 && ![0xEF, 0xBB, 0xBF].contains($0) }) {
    case UInt8(ascii: "{"):
      if let code = (try? ResponseMembers(json: body))?.text("error") {
        if OAuth2EndpointError.clientCodes.contains(code) { return true }
        if Self.otherReasons.contains(code) { return false }
      }
      let text = ASCII.lowercased(String(decoding: body, as: UTF8.self))
      return ["client", "application", "redirect"].contains { text.contains($0) }
    // A proxy asks for the user's password with a challenge, or refuses without giving a reason.
    case nil where status == 401: return false
    default: return !challenges.contains(where: Self.isLogin)
    }
  }

  /// Errors of an authorisation request that do not concern the client (RFC 6749 §4.1.2.1, OpenID Connect Core §3.1.2.6).
  private static let otherReasons: Set<String> = [
    "access_denied", "account_selection_required", "consent_required", "interaction_required", "invalid_scope",
    "login_required", "server_error", "slow_down", "temporarily_unavailable", "unsupported_response_type",
  ]

  /// Returns whether a challenge asks for a user name and a password, or for the user's ticket (RFC 7617, RFC 7616, RFC 4559).
  private static func isLogin(_ challenge: String) -> Bool {
    let scheme = ASCII.lowercased(String(challenge.drop { $0 == " " }.prefix { $0 != " " && $0 != "," }))
    return ["basic", "digest", "negotiate", "ntlm"].contains(scheme)
  }
}
