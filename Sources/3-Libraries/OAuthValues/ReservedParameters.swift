/// Names of parameters that users cannot set.
package enum ReservedParameters {
  /// The names of the parameters that control a login with OAuth 2.0 (RFC 6749 §4.1.1, RFC 7636 §4.3, RFC 9101 §4, OpenID Connect Core
  /// §3.1.2.1).
  package static let ofAuthorization: Set<String> = [
    "client_id", "client_secret", "code_challenge", "code_challenge_method", "nonce", "redirect_uri", "request",
    "request_uri", "response_mode", "response_type", "scope", "state",
  ]
}
