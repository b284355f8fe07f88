package import Bytes

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
