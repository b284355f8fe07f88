/// Corrupt storage that was set aside and replaced.
package struct StorageDamage: Sendable, Hashable {
  /// The location of the corrupt storage.
  package let aside: String
  /// The content recovered from it.
  package let salvaged: Salvaged

  package init(aside: String, salvaged: Salvaged) {
    self.aside = aside
    self.salvaged = salvaged
  }
}
