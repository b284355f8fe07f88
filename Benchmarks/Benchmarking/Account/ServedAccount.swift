package import CivilTime
internal import Files
internal import Platform
internal import Publish
internal import Publishing
internal import Storage
internal import StorageSQLite
internal import StorageTestSupport
package import Timeline

/// An account that is refreshed as in a running service: a refresh without new posts stores nothing, and some formats are written only once
/// for several refreshes. The time is simulated, so each run writes the same.
package final class ServedAccount {
  private let account: MeasuredAccount
  private let starts: StartMarker
  /// The state after refreshes without new posts, which is not in the database.
  private var quiet: AccountState?
  /// The time at which the files that are out of date are written; `nil` if there are none.
  private var gatheringEnd: Timestamp?

  /// Opens an account in a folder with the layout of a home folder.
  package init(below home: String, formats: [PublishedFormat]) throws {
    account = try MeasuredAccount(below: home, formats: formats)
    starts = StartMarker(account.files)
  }

  package func close() { account.close() }

  /// Refreshes the account with a response.
  /// - Returns: the number of new posts.
  package func refresh(with body: [UInt8], at now: Timestamp) throws -> Int {
    if let end = gatheringEnd, end <= now {
      gatheringEnd = nil
      try publish(gathers: false, at: end)
    }
    try starts.write(RequestStart(at: instant(now), wall: now, unfinished: 1))
    _ = try account.since()
    let page = try TwitterResponse(body, receivedAt: now).page()
    var state = try account.database.state()
    if let quiet { state.copyOutcome(of: quiet) }
    (state.refreshedAt, state.askedAt, state.nextRefreshAt) = (now, now, now + Self.interval)
    let mayDefer = try account.publisher.remainsValid(with: state, of: account.database)
    let write = PageWrite(page, as: .head, receivedAt: now, state: state, defersQuietState: mayDefer)
    let stored = try account.database.insert(write, expecting: account.database.revision()).value
    quiet = stored.isStateDeferred ? state : nil
    if stored.isStateDeferred {
      let next = instant(now + Self.interval)
      try starts.write(RequestStart(at: instant(now), wall: now, unfinished: 0, next: next))
    }
    try publish(gathers: true, at: now)
    try account.database.performMaintenance(isLong: true)
    return stored.new.count
  }

  /// The time between two refreshes.
  package static let interval = Duration.seconds(90)

  private func publish(gathers: Bool, at now: Timestamp) throws {
    let outcome = try account.publisher.publish(from: account.database, as: quiet, gathers: gathers, at: now)
    if outcome.isBehind, gatheringEnd == nil { gatheringEnd = now + PublishedForm.gathering }
  }

  private func instant(_ time: Timestamp) -> BootInstant { BootInstant(nanoseconds: time.milliseconds * 1_000_000) }
}
