/// The reason it is unclear which account a command refers to.
package enum AccountChoiceError: Error, Sendable, Hashable, CustomStringConvertible {
  case unknown(String, [AccountName])
  /// The name of a timeline was given where only an account is possible.
  case isTimeline(String, of: AccountName)
  case unknownTimeline(UnknownTimelineError)
  /// No name was given, and several accounts are enabled.
  case several([AccountName])
  /// No name was given, and none of these accounts is enabled.
  case noneEnabled([AccountName])

  package var description: String {
    switch self {
    case .unknown(let name, let known):
      "there is no account \(DisplayText.quoted(name))" + DisplayText.suggestion(for: name, among: known.map(\.text))
        + (known.isEmpty ? " (none is configured yet)" : " (accounts: \(list(known)))")
    case .isTimeline(let text, let account):
      "\(DisplayText.quoted(text)) is a timeline; specify its account: \(account)"
    case .unknownTimeline(let error): error.description
    case .several(let names): "specify the account: \(list(names))"
    case .noneEnabled(let names):
      names.isEmpty
        ? "there is no account yet. To add one: homeline login" : "no account is enabled; specify one: \(list(names))"
    }
  }

  private func list(_ names: [AccountName]) -> String { names.map(\.text).joined(separator: ", ") }
}
