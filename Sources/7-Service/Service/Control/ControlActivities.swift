internal import ControlProtocol
internal import Settings

/// The running control requests that `homeline status` shows, by account.
struct ControlActivities {
  private var underWay: [AccountName: [ControlStatus.Activity]] = [:]

  /// The order of the shown activities: those that need the user come first.
  private static let order: [ControlStatus.Activity] = [.loggingIn, .loggingOut, .refreshing]

  mutating func begin(_ activity: ControlStatus.Activity, of account: AccountName) {
    underWay[account, default: []].append(activity)
  }

  mutating func end(_ activity: ControlStatus.Activity, of account: AccountName) {
    guard let index = underWay[account]?.firstIndex(of: activity) else { return }
    underWay[account]?.remove(at: index)
  }

  /// Returns the activity to show for an account; nil if there is none.
  func activity(of account: AccountName) -> ControlStatus.Activity? {
    Self.order.first { underWay[account]?.contains($0) == true }
  }
}
