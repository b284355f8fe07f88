package import CivilTime
package import Settings

extension Schedule {
  /// A renewal has ended. Nothing else of what is planned changes, but when the account has to be authorised anew.
  /// - Parameters:
  ///   - next: when the token is to be renewed next.
  ///   - hasFailed: whether there is no new token.
  ///   - isFinal: whether nothing is to be asked before a login.
  package mutating func renewed(
    _ account: AccountName, next: Timestamp?, hasFailed: Bool = false, isFinal: Bool, at now: Timestamp
  ) {
    guard var entry = entries[account] else { return }
    if entry.running != nil { underWay.end(in: entry.member.scopes) }
    entry.running = nil
    if hasFailed { entry.fail(.renew, at: now) }
    if isFinal { entry.plan(Moments(due: nil)) } else { entry.plan(renewal: next) }
    entries[account] = entry
  }
}
