/// A way for a client to authenticate to an endpoint (RFC 6749 §2.3). A request uses only one method.
public enum ClientAuthentication: String, Sendable, Hashable, CaseIterable {
  /// No authentication: a public client sends its `client_id` in the form (§3.2.1).
  case none
  /// The request has an HTTP Basic header (`client_secret_basic`).
  case basic
  /// The form contains the identifier and the secret (`client_secret_post`).
  case body
}
