/// How a client proves to an endpoint which client it is (RFC 6749 §2.3). It does so in one way at a time.
public enum ClientAuthentication: String, Sendable, Hashable, CaseIterable {
  /// Not at all: a public client names itself in the form (`client_id`, §3.2.1).
  case none
  /// By an HTTP Basic header (`client_secret_basic`).
  case basic
  /// By identifier and secret in the form (`client_secret_post`).
  case body

  /// The way that a name of `token_endpoint_auth_methods_supported` stands for (RFC 7591 §2), nil for others.
  init?(metadataName: String) {
    switch metadataName {
    case "none": self = .none
    case "client_secret_basic": self = .basic
    case "client_secret_post": self = .body
    default: return nil
    }
  }
}
