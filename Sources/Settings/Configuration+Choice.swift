extension Configuration {
  /// The account that a command means: the named one, enabled or not; without a name the only enabled one.
  package func account(named name: String?) throws(AccountChoiceError) -> AccountSettings {
    guard let name else {
      let enabled = enabledAccounts
      guard let account = enabled.first else { throw .noneEnabled(accounts.map(\.name)) }
      if enabled.count > 1 { throw .several(enabled.map(\.name)) }
      return account
    }
    guard let account = accounts.first(where: { $0.name.text == name }) else {
      throw .unknown(name, accounts.map(\.name))
    }
    return account
  }
}

/// Why it is not clear which account a command means.
package enum AccountChoiceError: Error, Sendable, Hashable, CustomStringConvertible {
  case unknown(String, [AccountName])
  /// No name given, and several are enabled.
  case several([AccountName])
  /// No name given, and none is enabled, of these.
  case noneEnabled([AccountName])

  package var description: String {
    switch self {
    case .unknown(let name, let known):
      "there is no account \(Shown.quoted(name))" + Shown.suggestion(for: name, among: known.map(\.text))
        + (known.isEmpty ? "; the configuration has none" : " (accounts: \(list(known)))")
    case .several(let names): "name the account: \(list(names))"
    case .noneEnabled(let names):
      names.isEmpty ? "the configuration has no account" : "no account is enabled; name one: \(list(names))"
    }
  }

  private func list(_ names: [AccountName]) -> String { names.map(\.text).joined(separator: ", ") }
}
