package import CivilTime
package import Dispatch
package import HomelineOAuth
internal import Platform
package import Providers
package import Settings
internal import Timeline
package import Store
package import Transport

/// One account at work: what it is, what it owns, and the serial queue on which all that happens to it happens.
// Sendable because everything in it is touched on `queue` only; the queue and the settings are constants.
package final class AccountLane: @unchecked Sendable {
  package let settings: AccountSettings
  package let queue: DispatchQueue
  let provider: any Provider
  /// The application's keys, or why its secret could not be had. Nothing but asking the provider needs them.
  let keys: Result<ClientCredentials, Failure>
  let files: AccountFiles
  let tokens: TokenStore
  let publisher: TimelinePublisher
  let caller: SignedCaller
  let clock: WallClock
  private let warn: @Sendable (String) -> Void
  private var opened: AccountDatabase?

  /// Jobs that wait for the one before to end.
  private var waiting: [(_ done: @escaping () -> Void) -> Void] = []
  private var isBusy = false

  /// - Parameters:
  ///   - warn: told what the user should know; called on the lane's queue.
  ///   - trace: told of each request.
  package init(
    settings: AccountSettings, provider: any Provider, keys: Result<ClientCredentials, Failure>, files: AccountFiles,
    transport: Client, clock: WallClock, warn: @escaping @Sendable (String) -> Void,
    trace: @escaping @Sendable (String) -> Void
  ) {
    self.settings = settings
    self.provider = provider
    self.keys = keys
    self.files = files
    self.clock = clock
    self.warn = { warn("\(settings.name): \($0)") }
    queue = DispatchQueue(label: "homeline.account.\(settings.name)")
    tokens = TokenStore(files)
    publisher = TimelinePublisher(files, provider: settings.provider, keepPosts: settings.keepPosts)
    caller = SignedCaller(
      client: transport, queue: queue, clock: clock, judge: { provider.judge($0) }, warn: self.warn,
      trace: { trace("\(settings.name): \($0)") })
  }

  /// Opens the database, once and before anything else; waits for the lane's queue.
  package func open() throws(Failure) {
    let outcome: Result<Void, Failure> = queue.sync {
      do throws(Failure) { return .success(try openDatabase()) } catch { return .failure(error) }
    }
    try outcome.get()
  }

  /// Closes the database once the work under way on the queue is over; waits for that. Nothing may be asked of the lane afterwards.
  func close() { queue.sync { opened?.close() } }

  var database: AccountDatabase {
    guard let opened else { preconditionFailure("the lane was used before it was opened") }
    return opened
  }

  /// Whether its next refresh is due. Where nothing is planned that is so for an account that was never refreshed, and not for one
  /// that only a login can help.
  func isDue(at now: Timestamp) -> Bool {
    do {
      let state = try database.state()
      if let next = state.nextRefreshAt { return next <= now }
      return try tokens.read() != nil && state.problem?.code != .notAuthorised
    } catch {
      // The refresh will say what is wrong with the file.
      return true
    }
  }

  /// Publishes what the database holds if somebody deleted the published file: having it back takes no request.
  func restorePublished() throws(PublishError) {
    guard !File.exists(files.timeline) else { return }
    let state: AccountState
    do throws(SQLiteError) { state = try database.state() } catch { throw .database(error) }
    // An account that was never authorised has nothing to publish.
    if state.identity != nil { try publisher.publish(from: database) }
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
    let aside: SetAside
    do throws(SystemError) { aside = try files.setAside(userID: userID, at: clock.now) } catch {
      throw Failure(.inputOutput, "the former user's files could not be set aside: \(error)")
    }
    try openDatabase()
    return aside
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

  private func openDatabase() throws(Failure) {
    do throws(AccountDatabaseError) {
      let database = try AccountDatabase.open(files, at: clock.now, queue: queue)
      if let damaged = database.damagedFile {
        warn("the database was damaged; it was kept as \(damaged), and a new one is begun")
      }
      opened = database
    } catch { throw Failure(error) }
  }
}
