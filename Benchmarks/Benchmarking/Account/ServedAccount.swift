internal import Folders
internal import Formats
internal import Platform
internal import PublishedFiles
internal import Settings
internal import Storage
internal import StorageFiles
internal import StorageSQLite
internal import StorageTestSupport
package import Time
package import Timeline

/// An account that is refreshed as in a running service: a refresh without new posts stores nothing, and some formats are written only once
/// for several refreshes. The time is simulated, so each run writes the same.
package final class ServedAccount {
  private let account: MeasuredAccount
  private let starts: StartMarker
  /// The revision of the database when the last refresh began.
  private var revision = Revision(0)
  /// The state after refreshes without new posts, which is not in the database.
  private var quiet: AccountState?
  /// The time at which the files that are out of date are written; `nil` if there are none.
  private var gatheringEnd: Timestamp?

  /// Opens an account in a folder with the layout of a home folder.
  package init(_ name: String = "twitter", below home: String, formats: [PublishedFormat] = []) throws {
    account = try MeasuredAccount(name, below: home, formats: formats)
    starts = StartMarker(account.files)
  }

  package func close() { account.close() }

  /// Begins a refresh, as the service does before each request.
  /// - Returns: the post after which newer posts are requested.
  package func begin(at now: Timestamp) throws -> PostPosition? {
    if let end = gatheringEnd, end <= now {
      gatheringEnd = nil
      try publish(gathers: false, at: end)
    }
    revision = try account.database.revision()
    let since = try account.since()
    try starts.write(RequestStart(at: instant(now), wall: now, unfinished: 1))
    return since
  }

  /// Stores and publishes the posts in a response, and ends the refresh.
  /// - Returns: the number of new posts, and the processor time.
  package func end(with body: [UInt8], at now: Timestamp) throws -> (new: Int, times: MeasuredAccount.Times) {
    var times = MeasuredAccount.Times()
    var watch = Stopwatch()
    let page = try TwitterResponse(body, receivedAt: now).page()
    times.parsing = watch.processorTime
    watch = Stopwatch()
    var state = try account.database.state()
    if let quiet { state.copyOutcome(of: quiet) }
    (state[.home].refreshedAt, state.askedAt, state[.home].nextRefreshAt) = (now, now, now + Self.interval)
    let isLikely = try account.database.spans(of: .home).reach(above: page)
    let mayDefer = try account.publisher.remainsValid(with: state, of: account.database, isLikely: isLikely)
    let write = PageWrite(page, of: .home, as: .head, receivedAt: now, state: state, defersQuietState: mayDefer)
    let stored = try account.database.insert(write, expecting: revision).value
    quiet = stored.isStateDeferred ? state : nil
    if stored.isStateDeferred {
      let next = instant(now + Self.interval)
      try starts.write(RequestStart(at: instant(now), wall: now, unfinished: 0, next: next))
    }
    times.storing = watch.processorTime
    watch = Stopwatch()
    try publish(gathers: true, at: now)
    _ = try (
      account.database.spans(of: .home),
      account.database.countOfFetchedPosts(of: .home, upTo: ProgramDefaults.fetchedPosts)
    )
    times.publishing = watch.processorTime
    // The service performs this work in the next job of its queue.
    try account.database.performMaintenance(isLong: true)
    return (stored.new.count, times)
  }

  /// Refreshes the account with a response.
  /// - Returns: the number of new posts.
  package func refresh(with body: [UInt8], at now: Timestamp) throws -> Int {
    _ = try begin(at: now)
    return try end(with: body, at: now).new
  }

  /// The time between two refreshes.
  package static let interval = Duration.seconds(90)

  private func publish(gathers: Bool, at now: Timestamp) throws {
    let outcome = try account.publisher.publishAll(from: account.database, as: quiet, gathers: gathers, at: now)
    if outcome.isBehind, gatheringEnd == nil { gatheringEnd = now + PublishedForm.gathering }
  }

  private func instant(_ time: Timestamp) -> BootInstant { BootInstant(nanoseconds: time.milliseconds * 1_000_000) }
}
