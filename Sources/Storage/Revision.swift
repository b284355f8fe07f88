package import Settings

/// How often a timeline's storage has been written to, as its writer knows it. A store refuses a write that expects another revision:
/// somebody else has written since, and what was decided by the former content does not hold.
package struct Revision: Sendable, Hashable {
  package let number: Int64

  package init(_ number: Int64) { self.number = number }
}

/// What came of a write, and the revision after it.
package struct Written<Value> {
  package let value: Value
  package let revision: Revision

  package init(_ value: Value, _ revision: Revision) {
    self.value = value
    self.revision = revision
  }
}

extension Written: Sendable where Value: Sendable {}

/// Which timeline is meant: of which account, of which kind, and of what, such as the name of a list.
package struct TimelineKey: Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable {
    case home
  }

  package let account: AccountName
  package let kind: Kind
  /// Empty where the kind needs none.
  package let argument: String

  package init(account: AccountName, kind: Kind, argument: String = "") {
    self.account = account
    self.kind = kind
    self.argument = argument
  }

  package static func home(of account: AccountName) -> TimelineKey { TimelineKey(account: account, kind: .home) }
}
