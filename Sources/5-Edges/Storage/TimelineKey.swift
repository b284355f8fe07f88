package import Settings
package import Timeline

/// The key of a timeline: its account, its kind and an argument, such as the name of a list.
package struct TimelineKey: Sendable, Hashable {
  private enum Kind: String, Sendable, Hashable {
    case home

    var filterContext: FilterScope.Context {
      switch self {
      case .home: .home
      }
    }
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

  /// The context that makes the user's filters on the server apply to the timeline.
  package var filterContext: FilterScope.Context { kind.filterContext }

  package static func home(of account: AccountName) -> TimelineKey { TimelineKey(account: account, kind: .home) }
}
