/// The protection of tokens on disk.
package enum TokenProtection: String, Sendable, Hashable, CaseIterable {
  /// Tokens are in files that only the user can read.
  case files
  /// Tokens are in files that only the user can read, encrypted with a key in the keyring of the user's session.
  case keyring

  /// Reads `protect` from the top level of the configuration.
  init?(_ values: KeyedValues, _ problems: inout Problems) {
    guard let text = values.choice("protect", of: Self.allCases.map(\.rawValue), &problems) else { return nil }
    self.init(rawValue: text)
  }
}
