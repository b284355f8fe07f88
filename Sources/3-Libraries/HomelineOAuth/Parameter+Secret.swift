internal import Bytes
internal import OAuthValues

extension OAuth.Parameter {
  /// Creates a parameter from a name and a secret.
  init(_ name: String, exposing secret: OAuth.Secret) {
    self.init(name: Array(name.utf8), value: secret.withExposed { $0 })
  }
}
