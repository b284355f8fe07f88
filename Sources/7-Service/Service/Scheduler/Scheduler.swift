internal import Accounts
internal import Dispatch
package import Platform
internal import Scheduling
package import Settings
internal import Storage
internal import Time
internal import Timeline

/// Carries out the plans of `Schedule`: starts jobs on the account queues, and sets one timer for the next work that is due.
///
/// A command that owns the state has a scheduler too, so that the same limits apply to its requests. That scheduler starts no work by
/// itself.
// Sendable because its mutable state is accessed only on `queue`.
package final class Scheduler: @unchecked Sendable {
  typealias Completion = @Sendable (RefreshReport) -> Void

  /// A request for a refresh.
  private struct Request {
    let completion: Completion
    /// Whether the refresh ends a login, which needs no request for what the schedule has fetched since.
    let endsLogin: Bool
  }

  private let queue = DispatchQueue(label: "homeline.schedule")
  private let clocks: Clocks
  private let log: Log
  private var schedule = Schedule()
  private var watch: ClockWatch
  private var generator = RandomSource()
  private var alarm: (any Waking)?
  private var accounts: [AccountName: Account] = [:]
  /// The timelines of each account that the schedule knows.
  private var timelines: [AccountName: [TimelineName]] = [:]
  /// The accounts to refresh whenever they are due, not only on request.
  private var scheduled: Set<AccountName> = []
  private var isStopped = false
  /// The number of each account's running work. The end of work with another number, which was running when the account was removed, does
  /// not concern the schedule.
  private var runs: [AccountName: Int] = [:]
  private var lastRun = 0
  /// The requests for rounds that have not started yet and, by their numbers, for running rounds.
  private var waiting: [TimelineKey: [Request]] = [:]
  private var served: [Int: [Request]] = [:]
  private var journal: RefreshJournal
  private var calendar = LoginExpiry()
  /// The reasons accounts' data could not be stored or published.
  private var notStored: [AccountName: String] = [:]
  /// The results of the last requests.
  private var refreshes: [TimelineKey: RefreshState] = [:]
  private let changed = Locked<ClosureBox<@Sendable () -> Void>?>(nil)

  package init(clocks: Clocks = .system, log: Log) {
    self.clocks = clocks
    self.log = log
    watch = ClockWatch(clocks)
    journal = RefreshJournal(log: log)
  }

  // MARK: Requests, from any queue

  /// Refreshes these accounts from now on whenever they are due.
  func start(with accounts: [Account], started: @escaping @Sendable () -> Void) {
    let names = Set(accounts.map(\.name))
    queue.async { self.scheduled = names }
    let all = DispatchGroup()
    for account in accounts {
      all.enter()
      enrol(account) { all.leave() }
    }
    all.notify(queue: queue) {
      self.schedule.started(at: self.look(), using: &self.generator)
      self.carryOn()
      started()
    }
  }

  /// Adds an account, or updates one that may have changed. An account with a problem is rescheduled.
  func put(_ account: Account) {
    queue.async {
      self.scheduled.insert(account.name)
      if account.keys.contains(where: { self.journal.trouble(of: $0) != nil }) { self.schedule.restart(account.name) }
    }
    enrol(account) { self.queue.async { self.carryOn() } }
  }

  /// Removes an account, and cancels its waiting requests.
  func remove(_ name: AccountName) {
    queue.async {
      self.scheduled.remove(name)
      self.drop(name)
      self.carryOn()
    }
  }

  /// Refreshes a timeline of an account as soon as no limit forbids it. If a limit forbids it now, the report names the limit.
  ///
  /// The server is asked after this call, even if work for the timeline is running: that work's response may be older than the post that
  /// the user has just seen elsewhere and now wants. Requests that wait for the same round share its report.
  func refresh(_ timeline: AccountTimeline, of account: Account, completion: @escaping Completion) {
    queue.async { self.wish(timeline, of: account, Request(completion: completion, endsLogin: false)) }
  }

  /// Refreshes the timelines of an account one after another, at the end of a login. The login needs what the server has sent since the new
  /// token was stored. So if the schedule has fetched a timeline since, its posts are reported, and the server is not asked again.
  /// - Parameters:
  ///   - each: receives the report of each timeline; called on the scheduler's queue.
  ///   - completion: called once, on the scheduler's queue, after all of them.
  func refreshAfterLogin(
    _ timelines: [AccountTimeline], of account: Account, each: @escaping Completion,
    completion: @escaping @Sendable () -> Void
  ) {
    queue.async { self.refreshNext(of: timelines[...], of: account, each, completion) }
  }

  /// Stops: starts no more work, and cancels the waiting requests.
  func stop() {
    queue.sync {
      isStopped = true
      alarm?.set(nil)
      alarm = nil
      for (key, requests) in waiting { settle(key, requests, .cancelled) }
      waiting = [:]
    }
  }

  /// Sets a function to call, on any queue, whenever the value of `snapshots` may have changed.
  package func onChange(_ body: (@Sendable () -> Void)?) { changed.withLock { $0 = body.map { ClosureBox($0) } } }

  /// Calls back, on any queue, as soon as the schedule has no other work. This shows that it is not stuck.
  package func probe(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }

  /// Each account's current work and plan. Does not wait for any account's queue.
  package var snapshots: [AccountName: AccountSnapshot] {
    queue.sync {
      var snapshots: [AccountName: AccountSnapshot] = [:]
      snapshots.reserveCapacity(accounts.count)
      for name in accounts.keys { snapshots[name] = known(name) }
      return snapshots
    }
  }

  /// Returns the given accounts' current work and plan. Accounts that the scheduler does not know yet are omitted.
  package func snapshots(of names: [AccountName]) -> [AccountName: AccountSnapshot] {
    queue.sync {
      var snapshots: [AccountName: AccountSnapshot] = [:]
      for name in names where accounts[name] != nil { snapshots[name] = known(name) }
      return snapshots
    }
  }

  // MARK: On the queue

  private func wish(_ timeline: AccountTimeline, of account: Account, _ request: Request) {
    let key = timeline.key
    guard !isStopped, !account.isRetiring else { return settle(key, [request], .cancelled) }
    // A reload may have added the timeline to an account that the schedule knows.
    if timelines[account.name]?.contains(timeline.name) != true { adopt(account, nil) }
    waiting[key, default: []].append(request)
    schedule.wish(key, at: look())
    carryOn()
  }

  private func refreshNext(
    of timelines: ArraySlice<AccountTimeline>, of account: Account, _ each: @escaping Completion,
    _ completion: @escaping @Sendable () -> Void
  ) {
    guard let next = timelines.first else { return completion() }
    let taken: Completion = { report in
      each(report)
      let rest = timelines.dropFirst()
      // An account that was removed in the meantime must not return to the schedule.
      if self.accounts[account.name] === account { return self.refreshNext(of: rest, of: account, each, completion) }
      for timeline in rest { each(Self.report(timeline.key, .cancelled)) }
      completion()
    }
    wish(next, of: account, Request(completion: taken, endsLogin: true))
  }

  private func known(_ name: AccountName) -> AccountSnapshot {
    var snapshot = AccountSnapshot(
      work: schedule.running(name), due: schedule.due(of: name), trouble: journal.trouble(of: .home(of: name)),
      notStored: notStored[name], refreshes: refreshes[.home(of: name)])
    guard let timelines = timelines[name], timelines.count > 1 else { return snapshot }
    for timeline in timelines {
      let key = TimelineKey(account: name, timeline: timeline)
      snapshot.timelines[timeline] = TimelineSnapshot(
        due: schedule.moments(of: name, timeline)?.due, trouble: journal.trouble(of: key), refreshes: refreshes[key],
        unread: accounts[name]?.timelines[timeline]?.publisher.unread)
    }
    return snapshot
  }

  private func drop(_ name: AccountName) {
    schedule.remove(name)
    notStored[name] = nil
    calendar.note(name, end: nil)
    accounts[name] = nil
    runs[name] = nil
    for timeline in timelines.removeValue(forKey: name) ?? [] {
      forget(TimelineKey(account: name, timeline: timeline))
    }
  }

  private func forget(_ key: TimelineKey) {
    journal.forget(key)
    refreshes[key] = nil
    settle(key, waiting.removeValue(forKey: key) ?? [], .cancelled)
  }

  private func enrol(_ account: Account, _ done: @escaping @Sendable () -> Void) {
    account.queue.async {
      guard !account.isClosed else { return done() }
      let data = account.scheduleData()
      self.queue.async {
        self.adopt(account, data)
        done()
      }
    }
  }

  /// Adds or updates an account.
  /// - Parameter data: `nil` for an account that is refreshed only on request.
  private func adopt(_ account: Account, _ data: ScheduleData?) {
    // The account may have been removed after its data were read.
    guard !account.isRetiring else { return }
    if accounts.updateValue(account, forKey: account.name) !== account {
      account.queue.async { [weak self, weak account] in
        guard let account else { return }
        account.onRecovery = { [weak self, unowned account] new in self?.stored(account, new) }
      }
    }
    if let data {
      let names = Array(data.member.timelines.keys)
      for name in timelines.updateValue(names, forKey: account.name) ?? [] where data.member.timelines[name] == nil {
        forget(TimelineKey(account: account.name, timeline: name))
      }
      for name in names {
        let key = TimelineKey(account: account.name, timeline: name)
        journal.begin(key, with: data.troubles[name])
        refreshes[key] = data.refreshes[name]
      }
      note(account, loginEnds: data.loginEnds)
      let isScheduled = isScheduled(account)
      let known =
        isScheduled
        ? data.known
        : data.known.mapValues {
          Schedule.Known(WorkTimes(due: nil), limit: $0.limit, refreshedAt: $0.refreshedAt)
        }
      schedule.put(
        data.member, known, renewal: isScheduled ? data.renewal : nil, askedAt: data.askedAt, at: look())
    } else {
      timelines[account.name] = Array(account.timelines.keys)
      // These values apply until the account's files have been read.
      schedule.put(
        Schedule.Member(
          account: account.name, host: account.name.text, application: nil,
          timelines: account.timelines.mapValues { _ in Schedule.Member.Terms(interval: .seconds(60)) }),
        [:], at: look())
      enrol(account) { self.queue.async { self.carryOn() } }
    }
  }

  private func isScheduled(_ account: Account) -> Bool { scheduled.contains(account.name) }

  /// Starts the work that is due, and sets the alarm for the next work.
  private func carryOn() {
    guard !isStopped else { return }
    let now = look()
    for (key, until) in schedule.declined(at: now) { decline(key, until: until) }
    for start in schedule.due(at: now) { begin(start) }
    for warning in calendar.due(at: now) { log(.warning, warning.message(at: now)) }
    let next = [schedule.nextWakeUp(after: now), calendar.next].compactMap(\.self).min()
    arm(for: next.map { clocks.boot() + ($0 - now) })
    changed.withLock { $0 }?.call()
  }

  /// Records when a login expires. Accounts without a schedule are not recorded, because only a process that runs permanently can warn days
  /// ahead.
  private func note(_ account: Account, loginEnds: Timestamp?) {
    calendar.note(account.name, end: isScheduled(account) ? loginEnds : nil)
  }

  private func arm(for instant: BootInstant?) {
    if alarm == nil, instant != nil {
      do throws(SystemError) {
        alarm = try clocks.alarm(queue) { [weak self] in self?.carryOn() }
      } catch { log(.error, "there is no timer, so nothing is refreshed automatically: \(error)") }
    }
    alarm?.set(instant)
  }

  /// Returns the current time, after applying any changes of the clocks since the last check.
  private func look() -> Timestamp {
    let finding = watch.look(at: clocks)
    let now = clocks.wall.now
    if let set = finding.set {
      schedule.shift(by: set)
      let seconds = set.components.seconds
      log(
        .warning,
        "the clock was set \(seconds < 0 ? "back" : "forward") by \(abs(seconds)) s; planned times were moved by the same amount"
      )
    }
    if finding.asleep >= Schedule.shortestSuspend {
      schedule.resumed(at: now, asleep: finding.asleep, using: &generator)
      log(.info, "the machine was asleep for \(finding.asleep.components.seconds) s; catching up on missed refreshes")
    }
    return now
  }

  private func begin(_ start: Schedule.Start) {
    guard let account = accounts[start.account] else { return }
    let run = lastRun + 1
    lastRun = run
    runs[start.account] = run
    guard let name = start.timeline else {
      return account.queue.async { TokenJob.enqueue(.renew, of: account) { self.endRenewal(account, run, $0) } }
    }
    guard let timeline = account.timelines[name] else {
      // The account has lost the timeline, and its new data will follow.
      let nothing = Schedule.Ending(outcome: .cancelled, limit: nil, requests: 0, next: WorkTimes(due: nil))
      let key = TimelineKey(account: start.account, timeline: name)
      return schedule.ended(key, nothing, at: clocks.wall.now, using: &generator)
    }
    if start.work == .user {
      let requests = waiting.removeValue(forKey: timeline.key) ?? []
      served[run] = requests
      let endsLogin = requests.allSatisfy(\.endsLogin)
      return account.queue.async {
        RefreshRound.begin(of: timeline, in: account, endsLogin: endsLogin) { self.end(account, run, .user, $0) }
      }
    }
    account.queue.async {
      PageJob.enqueue(start.work, of: timeline, in: account) { page in
        self.end(account, run, start.work, RefreshReport(account: account.name.text, timeline: timeline.name, page))
      }
    }
  }

  /// Reports to the schedule that a round or a page has ended. Call on the account's queue, which owns the database.
  private func end(_ account: Account, _ run: Int, _ work: Work, _ report: RefreshReport) {
    let ending = account.isClosed ? nil : account.ending(report, of: work)
    let notStored = account.store.unstored.reason
    let timeline = account.isClosed ? nil : account.timelines[report.timeline]
    let refreshes = timeline.map { RefreshState(of: $0, account.store.knownState) }
    let loginEnds = account.isClosed ? nil : account.loginEnds
    let learned = !account.isClosed && account.core.takeLearnedWindow() ? account.scheduleData() : nil
    let key = TimelineKey(account: account.name, timeline: report.timeline)
    queue.async {
      let isExpected = self.runs[account.name] == run
      if isExpected { self.runs[account.name] = nil }
      if isExpected, let ending {
        let isScheduled = self.isScheduled(account)
        self.schedule.ended(
          key,
          Schedule.Ending(
            outcome: ending.outcome, limit: ending.limit, requests: ending.requests,
            next: isScheduled ? ending.next : WorkTimes(due: nil), renewal: isScheduled ? ending.renewal : nil),
          at: self.look(), using: &self.generator)
        self.notStored[account.name] = notStored
        if self.timelines[account.name]?.contains(key.timeline) ?? false {
          self.refreshes[key] = refreshes
          self.journal.note(report, of: key, isAwaited: work == .user)
        }
        self.note(account, loginEnds: loginEnds)
        if let learned { self.adopt(account, learned) }
      }
      for request in self.served.removeValue(forKey: run) ?? [] { request.completion(report) }
      self.carryOn()
    }
  }

  private func endRenewal(_ account: Account, _ run: Int, _ report: RefreshReport) {
    let next = account.isClosed ? nil : account.authority.renewalDue
    let loginEnds = account.isClosed ? nil : account.loginEnds
    queue.async {
      if self.runs[account.name] == run {
        self.runs[account.name] = nil
        self.note(account, loginEnds: loginEnds)
        self.schedule.renewed(
          account.name, next: self.isScheduled(account) ? next : nil, hasFailed: report.failure != nil,
          isFinal: report.next.isFinal, at: self.look())
        if report.problem != nil || report.failure != nil {
          self.journal.note(report, of: .home(of: account.name), isAwaited: false)
        }
      }
      self.carryOn()
    }
  }

  /// Reports that previously unstored data is now stored. The timelines are due again after their interval. Call on the account's
  /// queue.
  private func stored(_ account: Account, _ new: [TimelineName: Int]) {
    let data = account.scheduleData()
    let state = account.store.knownState
    let working = account.keys.filter { state[$0.timeline].problem == nil }
    queue.async {
      guard self.accounts[account.name] === account else { return }
      self.notStored[account.name] = nil
      if self.isScheduled(account) {
        self.schedule.replan(account.name, data.known.mapValues(\.moments), renewal: data.renewal)
      }
      for key in working {
        self.journal.note(
          RefreshReport(
            account: account.name.text, timeline: key.timeline, outcome: .refreshed(new: new[key.timeline] ?? 0)),
          of: key, isAwaited: false)
      }
      self.carryOn()
    }
  }

  /// Reports to waiting requests that a limit forbids a refresh. A deleted published file is restored anyway, because this takes no
  /// request.
  private func decline(_ key: TimelineKey, until: Timestamp) {
    let requests = waiting.removeValue(forKey: key) ?? []
    guard let account = accounts[key.account] else { return settle(key, requests, .limited(until: until)) }
    account.queue.async {
      // The schedule may have used up the limit for the timeline that the login wants.
      let new = account.timelines[key.timeline]?.newSinceLogin
      account.restorePublished { failure in
        if let failure { self.log(.error, "\(key.account): \(failure.message)") }
        self.queue.async {
          for request in requests {
            let fetched = request.endsLogin ? new.map { RefreshReport.Outcome.refreshed(new: $0) } : nil
            self.settle(key, [request], fetched ?? .limited(until: until))
          }
        }
      }
    }
  }

  private func settle(_ key: TimelineKey, _ requests: [Request], _ outcome: RefreshReport.Outcome) {
    for request in requests { request.completion(Self.report(key, outcome)) }
  }

  private static func report(_ key: TimelineKey, _ outcome: RefreshReport.Outcome) -> RefreshReport {
    RefreshReport(account: key.account.text, timeline: key.timeline, outcome: outcome)
  }
}
