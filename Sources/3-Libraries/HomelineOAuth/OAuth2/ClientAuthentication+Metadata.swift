internal import OAuthValues

extension ClientAuthentication {
  /// Creates the method from a name in `token_endpoint_auth_methods_supported` (RFC 7591 §2); nil if this library does not support it.
  init?(metadataName: String) {
    switch metadataName {
    case "none": self = .none
    case "client_secret_basic": self = .basic
    case "client_secret_post": self = .body
    default: return nil
    }
  }
}
