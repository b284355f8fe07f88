package import Bytes

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
