internal import Control
internal import Settings

/// What the control desk has had begun and what has not ended yet, by account: several may wait for one account's lane.
struct ControlActivities {
  private var underWay: [AccountName: [ControlStatus.Activity]] = [:]

  /// What goes before the rest when there is more than one: what the user has to do something about.
  private static let order: [ControlStatus.Activity] = [.loggingIn, .loggingOut, .refreshing]

  mutating func begin(_ activity: ControlStatus.Activity, of account: AccountName) {
    underWay[account, default: []].append(activity)
  }

  mutating func end(_ activity: ControlStatus.Activity, of account: AccountName) {
    guard let index = underWay[account]?.firstIndex(of: activity) else { return }
    underWay[account]?.remove(at: index)
  }

  /// - Returns: nil when nothing is under way.
  func activity(of account: AccountName) -> ControlStatus.Activity? {
    Self.order.first { underWay[account]?.contains($0) == true }
  }
}
