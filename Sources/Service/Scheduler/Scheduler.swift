internal import Accounts
internal import CivilTime
internal import Dispatch
package import Platform
internal import Publishing
internal import Refresh
internal import Scheduling
package import Settings
internal import Storage

/// Carries out what `Schedule` says: begins work in the accounts' lanes, and wakes up with one timer when more is due.
///
/// A short-lived owner of the state has one too, which begins nothing by itself: so whoever asks is held to the same limits.
// Sendable because everything that changes in it is touched on `queue` only.
package final class Scheduler: @unchecked Sendable {
  typealias Completion = @Sendable (RefreshReport) -> Void

  private let queue = DispatchQueue(label: "homeline.schedule")
  private let clocks: Clocks
  private let log: Log
  private var schedule = Schedule()
  private var watch: ClockWatch
  private var generator = RandomSource()
  private var alarm: (any Waking)?
  private var accounts: [AccountName: Account] = [:]
  /// Those whose refreshes are begun when they are due, and not only when somebody asks.
  private var scheduled: Set<AccountName> = []
  private var isStopped = false
  /// Who waits for a round that has not begun, and for the one under way.
  private var waiting: [AccountName: [Completion]] = [:]
  private var served: [AccountName: [Completion]] = [:]
  private var journal: RefreshJournal
  private var calendar = LoginExpiry()
  /// Why what is known of an account could not be stored or published.
  private var notStored: [AccountName: String] = [:]
  /// What the last requests have told.
  private var refreshes: [AccountName: RefreshState] = [:]
  private let changed = Locked<ClosureBox<@Sendable () -> Void>?>(nil)

  package init(clocks: Clocks = .system, log: Log) {
    self.clocks = clocks
    self.log = log
    watch = ClockWatch(clocks)
    journal = RefreshJournal(log: log)
  }

  // MARK: What can be asked, from any queue

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

  /// Takes an account up, or takes notice that it may have changed: one that was in trouble is looked at anew.
  func put(_ account: Account) {
    queue.async {
      self.scheduled.insert(account.name)
      if self.journal.trouble(of: account.name) != nil { self.schedule.remove(account.name) }
    }
    enrol(account) { self.queue.async { self.carryOn() } }
  }

  /// Forgets an account, and tells those who wait for it.
  func remove(_ name: AccountName) {
    queue.async {
      self.scheduled.remove(name)
      self.schedule.remove(name)
      self.accounts[name] = nil
      self.journal.forget(name)
      self.notStored[name] = nil
      self.refreshes[name] = nil
      self.calendar.note(name, end: nil)
      self.settle(name, self.waiting.removeValue(forKey: name) ?? [], .cancelled)
      self.carryOn()
    }
  }

  /// Asks the account's provider as soon as no limit forbids it; where one does, that is the report.
  func refresh(_ account: Account, completion: @escaping Completion) {
    queue.async {
      guard !self.isStopped else { return self.settle(account.name, [completion], .cancelled) }
      if self.accounts[account.name] == nil { self.adopt(account, nil) }
      self.waiting[account.name, default: []].append(completion)
      self.schedule.wish(account.name, at: self.look())
      self.carryOn()
    }
  }

  /// Begins nothing any more.
  func stop() {
    queue.sync {
      isStopped = true
      alarm?.set(nil)
      alarm = nil
      for (name, completions) in waiting { settle(name, completions, .cancelled) }
      waiting = [:]
    }
  }

  /// Has somebody called, on any queue, whenever what `standing` says may have changed.
  package func onChange(_ body: (@Sendable () -> Void)?) { changed.withLock { $0 = body.map { ClosureBox($0) } } }

  /// Calls back, on any queue, as soon as the schedule has nothing else to do: a sign that it is not stuck.
  package func probe(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }

  /// What is under way and planned, by account. Waits for no account's queue.
  package var standing: [AccountName: AccountStanding] {
    queue.sync {
      var standing: [AccountName: AccountStanding] = [:]
      standing.reserveCapacity(accounts.count)
      for name in accounts.keys { standing[name] = known(name) }
      return standing
    }
  }

  /// The same of some accounts; those that nobody has asked for yet are left out.
  package func standing(of names: [AccountName]) -> [AccountName: AccountStanding] {
    queue.sync {
      var standing: [AccountName: AccountStanding] = [:]
      for name in names where accounts[name] != nil { standing[name] = known(name) }
      return standing
    }
  }

  // MARK: On the queue

  private func known(_ name: AccountName) -> AccountStanding {
    AccountStanding(
      work: schedule.running(name), due: schedule.moments(of: name)?.due, trouble: journal.trouble(of: name),
      notStored: notStored[name], refreshes: refreshes[name])
  }

  private func enrol(_ account: Account, _ done: @escaping @Sendable () -> Void) {
    account.queue.async {
      guard !account.isClosed else { return done() }
      let enrolment = account.enrolment()
      self.queue.async {
        self.adopt(account, enrolment)
        done()
      }
    }
  }

  /// - Parameter enrolment: `nil` for an account that is only asked when somebody wants it.
  private func adopt(_ account: Account, _ enrolment: Enrolment?) {
    if accounts.updateValue(account, forKey: account.name) !== account {
      account.queue.async { [weak self, weak account] in
        account?.onStored = { new in if let account { self?.stored(account, new) } }
      }
    }
    if let enrolment {
      let moments = isScheduled(account) ? enrolment.moments : Schedule.Moments(due: nil)
      journal.begin(account.name, with: enrolment.trouble)
      refreshes[account.name] = enrolment.refreshes
      note(account, loginEnds: enrolment.loginEnds)
      schedule.put(enrolment.member, moments, limit: enrolment.limit, askedAt: enrolment.askedAt, at: look())
    } else {
      // Until its files have been looked at, which its own first turn does.
      schedule.put(
        Schedule.Member(account: account.name, host: account.name.text, application: nil, interval: .seconds(60)),
        Schedule.Moments(due: nil), at: look())
      enrol(account) { self.queue.async { self.carryOn() } }
    }
  }

  private func isScheduled(_ account: Account) -> Bool { scheduled.contains(account.name) }

  /// Begins what is due, and sets the alarm for what is due next.
  private func carryOn() {
    guard !isStopped else { return }
    let now = look()
    for (name, until) in schedule.declined(at: now) { decline(name, until: until) }
    for start in schedule.due(at: now) { begin(start) }
    for warning in calendar.due(at: now) { log(.warning, warning.words(at: now)) }
    let next = [schedule.nextWakeUp(after: now), calendar.next].compactMap(\.self).min()
    arm(for: next.map { clocks.boot() + ($0 - now) })
    changed.withLock { $0 }?.call()
  }

  /// Only who stays can warn of what lies days ahead.
  private func note(_ account: Account, loginEnds: Timestamp?) {
    calendar.note(account.name, end: isScheduled(account) ? loginEnds : nil)
  }

  private func arm(for instant: BootInstant?) {
    if alarm == nil, instant != nil {
      do throws(SystemError) {
        alarm = try clocks.alarm(queue) { [weak self] in self?.carryOn() }
      } catch { log(.error, "there is no timer, so nothing is refreshed by itself: \(error)") }
    }
    alarm?.set(instant)
  }

  /// - Returns: the time; what has happened to the clocks meanwhile is taken in.
  private func look() -> Timestamp {
    let finding = watch.look(at: clocks)
    let now = clocks.wall.now
    if let set = finding.set {
      schedule.shift(by: set)
      let seconds = set.components.seconds
      log(
        .warning,
        "the clock was set \(seconds < 0 ? "back" : "forward") by \(abs(seconds)) s; what is planned moves with it")
    }
    if finding.asleep >= Schedule.shortestSuspend {
      schedule.resumed(at: now, asleep: finding.asleep, using: &generator)
      log(.info, "the machine was asleep for \(finding.asleep.components.seconds) s; what was missed is caught up with")
    }
    return now
  }

  private func begin(_ start: Schedule.Start) {
    guard let account = accounts[start.account] else { return }
    switch start.work {
    case .user:
      served[start.account] = waiting.removeValue(forKey: start.account)
      account.queue.async {
        RefreshRound.begin(of: account, as: .userRefresh) { self.end(account, .user, $0) }
      }
    case .renew:
      account.queue.async { TokenJob.enqueue(of: account, as: .schedule) { self.endRenewal(account, $0) } }
    case .refresh, .fill:
      account.queue.async {
        PageJob.enqueue(
          start.work == .fill ? .below : .newest, of: account, as: start.work == .fill ? .filling : .schedule
        ) { page in self.end(account, start.work, RefreshReport(account: account.name.text, page)) }
      }
    }
  }

  /// On the account's queue: the database belongs to it.
  private func end(_ account: Account, _ work: Work, _ report: RefreshReport) {
    let ending = account.isClosed ? nil : account.ending(report, of: work)
    let notStored = account.unstored.reason
    let refreshes = account.isClosed ? nil : RefreshState(account.knownState)
    let loginEnds = account.isClosed ? nil : account.loginEnds
    queue.async {
      // One that was taken out and came again meanwhile is another.
      if self.accounts[account.name] === account, let ending {
        let next = self.isScheduled(account) ? ending.next : Schedule.Moments(due: nil)
        self.schedule.ended(
          account.name,
          Schedule.Ending(outcome: ending.outcome, limit: ending.limit, requests: ending.requests, next: next),
          at: self.look(), using: &self.generator)
        self.notStored[account.name] = notStored
        self.refreshes[account.name] = refreshes
        self.journal.note(report, of: account.name, isAwaited: work == .user)
        self.note(account, loginEnds: loginEnds)
      }
      if work == .user { for completion in self.served.removeValue(forKey: account.name) ?? [] { completion(report) } }
      self.carryOn()
    }
  }

  private func endRenewal(_ account: Account, _ report: RefreshReport) {
    let next = account.isClosed ? nil : account.renewalDue
    let loginEnds = account.isClosed ? nil : account.loginEnds
    queue.async {
      if self.accounts[account.name] === account {
        self.note(account, loginEnds: loginEnds)
        let isFinal = report.problem.map { RefreshOutcome($0).isFinal } ?? false
        self.schedule.renewed(
          account.name, next: self.isScheduled(account) ? next : nil, hasFailed: report.failure != nil,
          isFinal: isFinal, at: self.look())
        if report.problem != nil || report.failure != nil {
          self.journal.note(report, of: account.name, isAwaited: false)
        }
      }
      self.carryOn()
    }
  }

  /// What could not be stored is stored: the account is due again as its interval says. On the account's queue.
  private func stored(_ account: Account, _ new: Int) {
    let next = account.enrolment().moments
    let report = RefreshReport(account: account.name.text, outcome: .refreshed(new: new))
    let hasTrouble = account.knownState.problem != nil
    queue.async {
      guard self.accounts[account.name] === account else { return }
      self.notStored[account.name] = nil
      if self.isScheduled(account) { self.schedule.replan(account.name, next) }
      if !hasTrouble { self.journal.note(report, of: account.name, isAwaited: false) }
      self.carryOn()
    }
  }

  /// A deleted published file comes back all the same: that takes no request.
  private func decline(_ name: AccountName, until: Timestamp) {
    let completions = waiting.removeValue(forKey: name) ?? []
    guard let account = accounts[name] else { return settle(name, completions, .limited(until: until)) }
    account.queue.async {
      do throws(PublishError) { if !account.isClosed { try account.restorePublished() } } catch {
        self.log(.error, "\(name): the timeline could not be published again: \(error)")
      }
      self.queue.async { self.settle(name, completions, .limited(until: until)) }
    }
  }

  private func settle(_ name: AccountName, _ completions: [Completion], _ outcome: RefreshReport.Outcome) {
    for completion in completions { completion(RefreshReport(account: name.text, outcome: outcome)) }
  }
}
