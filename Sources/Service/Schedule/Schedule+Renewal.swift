package import CivilTime
package import Settings

extension Schedule {
  /// A renewal has ended. Nothing else of what is planned changes, but when the account has to be authorised anew.
  /// - Parameters:
  ///   - next: when the token is to be renewed next.
  ///   - isFinal: whether nothing is to be asked before a login.
  package mutating func renewed(_ account: AccountName, next: Timestamp?, isFinal: Bool) {
    guard let entry = entries[account] else { return }
    if entry.running != nil { underWay.end(in: entry.member.scopes) }
    entries[account]?.running = nil
    entries[account]?.moments.renewal = next
    if isFinal { entries[account]?.moments = Moments(due: nil) }
  }
}
