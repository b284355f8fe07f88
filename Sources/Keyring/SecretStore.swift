package import HomelineOAuth
package import Platform

/// A store for secrets outside this program, such as the keyring of a desktop session.
///
/// No method ever prompts the user. Each method waits for a few seconds at most, and may be called on any queue.
package protocol SecretStore: Sendable {
  /// Finds the secrets of all items with these attributes. An item may have other attributes too.
  func secrets(with attributes: SecretAttributes) throws(SecretStoreError) -> FoundSecrets
  /// Adds an item. Existing items with the same attributes are kept.
  /// - Parameter label: the item's name, which the keyring shows to the user.
  func add(_ secret: Secret, _ attributes: SecretAttributes, label: String) throws(SecretStoreError)
  /// Deletes all items with these attributes.
  func remove(_ attributes: SecretAttributes) throws(SecretStoreError)
  /// Checks that the store can be used now.
  /// - Returns: the program that provides the store, such as `gnome-keyring-d (process 812)`.
  func provider() throws(SecretStoreError) -> String
}

/// The result of a search.
package struct FoundSecrets: Sendable, Hashable {
  /// The secrets of the items that can be read now.
  package var secrets: [Secret]
  /// Whether the keyring, or the part of it that contains a matching item, is locked.
  package var isLocked: Bool

  package init(_ secrets: [Secret] = [], isLocked: Bool = false) {
    self.secrets = secrets
    self.isLocked = isLocked
  }
}

/// The attributes by which an item is found. Attributes are not secret: the keyring shows them to all of the user's programs.
package struct SecretAttributes: Sendable, Hashable {
  /// The attributes by name. The attributes include `xdg:schema`, the schema that libsecret requires for each item.
  package let values: [String: String]

  private init(kind: String, _ others: [String: String]) {
    values = others.merging(["xdg:schema": "io.homeline.Secret", "application": "homeline", "kind": kind]) { $1 }
  }

  /// Returns the attributes of the secret with which an account's application authenticates to its provider. The user stores this secret.
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

/// The reason a secret store cannot be used. A missing secret is not an error.
package enum SecretStoreError: UserFacingError, Hashable {
  /// The keyring is locked. Only the user can unlock it.
  case locked
  /// There is no keyring to store items in, for example because the user account is new.
  case noKeyring
  /// No program on the session bus provides a keyring.
  case noProvider
  /// The session bus could not be reached.
  case noBus(String)
  /// libsystemd is not installed.
  case noLibrary(String)
  /// The keyring did not respond in time.
  case timedOut
  /// The keyring wants to prompt the user first.
  case wantsPrompt
  case failed(String)

  package var exitCode: ExitCode { .temporary }

  package var message: String {
    switch self {
    case .locked:
      "the keyring is locked: unlock it, for example with Passwords and Keys (seahorse) or KeePassXC; without a desktop, with "
        + "gnome-keyring-daemon --unlock"
    case .noKeyring:
      "there is no default keyring: create one, for example with Passwords and Keys (seahorse) or a login to the desktop"
    case .noProvider:
      "no keyring is running in this session: start one, such as gnome-keyring, KWallet or KeePassXC with its Secret Service"
    case .noBus(let reason):
      "the session bus cannot be reached (\(reason)), so there is no keyring: log in to a session that has D-Bus, or set "
        + "DBUS_SESSION_BUS_ADDRESS"
    case .noLibrary(let reason):
      "libsystemd could not be loaded (\(reason)). Install the package libsystemd0, or its equivalent on your system"
    case .timedOut: "the keyring did not respond in time"
    case .wantsPrompt: "the keyring wants to prompt for permission first: unlock it, or allow homeline to access it"
    case .failed(let reason): "the keyring failed: \(reason)"
    }
  }
}
