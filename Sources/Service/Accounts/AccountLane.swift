package import CivilTime
package import Dispatch
package import HomelineOAuth
package import Providers
package import Settings
package import Store
package import Transport

/// One account at work: what it is, what it owns, and the serial queue on which all that happens to it happens.
// Sendable because everything in it is touched on `queue` only; the queue and the settings are constants.
package final class AccountLane: @unchecked Sendable {
  package let settings: AccountSettings
  package let queue: DispatchQueue
  let provider: any Provider
  let client: ClientCredentials
  let files: AccountFiles
  let tokens: TokenStore
  let publisher: TimelinePublisher
  let caller: SignedCaller
  let clock: WallClock
  private(set) var database: AccountDatabase

  /// Jobs that wait for the one before to end.
  private var waiting: [(_ done: @escaping () -> Void) -> Void] = []
  private var isBusy = false

  /// Opens what the account owns. To be called anywhere; all else on the queue.
  package init(
    settings: AccountSettings, provider: any Provider, client: ClientCredentials, files: AccountFiles,
    transport: Client, clock: WallClock, warn: @escaping @Sendable (String) -> Void
  ) throws(Failure) {
    self.settings = settings
    self.provider = provider
    self.client = client
    self.files = files
    self.clock = clock
    queue = DispatchQueue(label: "homeline.account.\(settings.name)")
    tokens = TokenStore(files)
    publisher = TimelinePublisher(files, provider: settings.provider, keepPosts: settings.keepPosts)
    caller = SignedCaller(
      client: transport, queue: queue, clock: clock, judge: { provider.judge($0) },
      warn: { warn("\(settings.name): \($0)") })
    database = try AccountLane.open(files, at: clock.now, on: queue)
    if let damaged = database.damagedFile {
      warn("\(settings.name): the database was damaged; it was kept as \(damaged), and a new one is begun")
    }
  }

  /// Runs a job when those before it have ended; it calls `done` once, at its end, whatever that was.
  func enqueue(_ job: @escaping (_ done: @escaping () -> Void) -> Void) {
    dispatchPrecondition(condition: .onQueue(queue))
    waiting.append(job)
    runNext()
  }

  /// Moves the former user's files aside and begins an empty database.
  func setAside(userID: String) throws(Failure) -> SetAside {
    database.close()
    do {
      let aside = try files.setAside(userID: userID, at: clock.now)
      database = try AccountLane.open(files, at: clock.now, on: queue)
      return aside
    } catch { throw Failure(.inputOutput, "\(error)") }
  }

  private func runNext() {
    guard !isBusy, !waiting.isEmpty else { return }
    isBusy = true
    let job = waiting.removeFirst()
    var isDone = false
    job {
      precondition(!isDone, "a job ended twice")
      isDone = true
      // Later, so that the job's own handling is over before the next one begins.
      self.queue.later {
        self.isBusy = false
        self.runNext()
      }
    }
  }

  private static func open(
    _ files: AccountFiles, at now: Timestamp, on queue: DispatchQueue
  ) throws(Failure) -> AccountDatabase {
    do throws(AccountDatabaseError) { return try AccountDatabase.open(files, at: now, queue: queue) } catch {
      throw Failure(error)
    }
  }
}
