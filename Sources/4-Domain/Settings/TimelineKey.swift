package import Timeline

/// The key of a timeline: its account and its name.
package struct TimelineKey: Sendable, Hashable, CustomStringConvertible {
  package let account: AccountName
  package let timeline: TimelineName

  package init(account: AccountName, timeline: TimelineName) {
    self.account = account
    self.timeline = timeline
  }

  /// The account's name for its home timeline, otherwise `ACCOUNT/TIMELINE`.
  package var description: String { timeline == .home ? account.text : "\(account)/\(timeline)" }

  /// Returns the account and the timeline in `ACCOUNT` or `ACCOUNT/TIMELINE`. Neither is checked.
  package static func parts(of text: String) -> (account: String, timeline: String?) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    return (parts[0], parts.count > 1 ? parts[1] : nil)
  }

  package static func home(of account: AccountName) -> TimelineKey { TimelineKey(account: account, timeline: .home) }
}
