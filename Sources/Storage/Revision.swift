package import Settings

/// The number of writes to a timeline's storage, as known to a writer. If the current number is different, there has been another writer
/// in the meantime, and the store rejects the write.
package struct Revision: Sendable, Hashable {
  private let number: Int64

  package init(_ number: Int64) { self.number = number }
}

/// The result of a write, with the revision after it.
package struct Written<Value> {
  package let value: Value
  package let revision: Revision

  package init(_ value: Value, _ revision: Revision) {
    self.value = value
    self.revision = revision
  }
}

extension Written: Sendable where Value: Sendable {}

/// The key of a timeline: its account, its kind and an argument, such as the name of a list.
package struct TimelineKey: Sendable, Hashable {
  private enum Kind: String, Sendable, Hashable {
    case home
  }

  package let account: AccountName
  private let kind: Kind
  /// The argument of the timeline; empty if its kind has none.
  private let argument: String

  private init(account: AccountName, kind: Kind, argument: String = "") {
    self.account = account
    self.kind = kind
    self.argument = argument
  }

  package static func home(of account: AccountName) -> TimelineKey { TimelineKey(account: account, kind: .home) }
}
