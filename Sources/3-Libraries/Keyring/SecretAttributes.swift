/// The attributes that an item is found by. Attributes are not secret: the keyring shows them to all of the user's programs.
package struct SecretAttributes: Sendable, Hashable {
  /// The attributes by name. The attributes include `xdg:schema`, the schema that libsecret requires for each item.
  package let values: [String: String]

  private init(kind: String, _ others: [String: String]) {
    values = others.merging(["xdg:schema": "io.homeline.Secret", "application": "homeline", "kind": kind]) { $1 }
  }

  /// Returns the attributes of the secret that authenticates an account's application to its provider. The user stores this secret.
  package static func clientSecret(of account: String) -> SecretAttributes {
    SecretAttributes(kind: "client-secret", ["account": account])
  }

  /// Returns the attributes that all keys of an installation have.
  /// - Parameter instance: the installation id.
  package static func tokenKeys(of instance: String) -> SecretAttributes {
    SecretAttributes(kind: "token-key", ["instance": instance])
  }

  /// Returns the attributes of one key, whichever installation created it.
  package static func tokenKey(_ id: String) -> SecretAttributes { SecretAttributes(kind: "token-key", ["key": id]) }

  /// Returns the attributes of a new key.
  package static func tokenKey(_ id: String, of instance: String) -> SecretAttributes {
    SecretAttributes(kind: "token-key", ["instance": instance, "key": id])
  }
}
