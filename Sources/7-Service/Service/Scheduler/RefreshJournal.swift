internal import Accounts
internal import Platform
internal import Scheduling
internal import Settings
internal import Timeline

/// Logs the results of refreshes. A failure is logged when it begins and when it ends, regardless of how often it occurs in between.
///
/// A network failure affects all accounts simultaneously. Only the first ``linesPerHour`` lines in an hour are therefore logged at their
/// own level, and later lines in that hour at DEBUG.
struct RefreshJournal {
  /// The maximum number of lines about accounts per hour. The service also logs other lines.
  static let linesPerHour = 60

  private let log: Log
  /// The current hour, and the number of lines logged in it.
  private var hour: (began: BootInstant, lines: Int)?
  private var troubles: [TimelineKey: Trouble] = [:]
  /// The problems that an earlier process stored. Each is kept until the timeline's first report.
  private var former: [TimelineKey: String] = [:]
  private var known: Set<TimelineKey> = []

  /// A problem, and whether it has been logged.
  private struct Trouble {
    let message: String
    let isLogged: Bool
  }

  init(log: Log) { self.log = log }

  func trouble(of timeline: TimelineKey) -> String? { troubles[timeline]?.message ?? former[timeline] }

  /// Sets the problem that an earlier process stored, unless there is already a report about the timeline. Does not log the problem.
  mutating func begin(_ timeline: TimelineKey, with trouble: String?) {
    if !known.contains(timeline), let trouble { former[timeline] = trouble }
  }

  mutating func forget(_ timeline: TimelineKey) {
    troubles[timeline] = nil
    former[timeline] = nil
    known.remove(timeline)
  }

  /// Logs the result of a refresh.
  /// - Parameters:
  ///   - isAwaited: whether a user is waiting for the report, and will therefore see it.
  ///   - now: the time that determines the hour of the lines.
  mutating func note(_ report: RefreshReport, of timeline: TimelineKey, isAwaited: Bool, at now: BootInstant = .now) {
    for warning in report.warnings { write(.warning, "\(timeline): \(warning)", at: now) }
    switch report.next {
    case .held, .cancelled: return
    default: break
    }
    known.insert(timeline)
    let reported = former.removeValue(forKey: timeline)
    switch report.outcome {
    case .refreshed(let new):
      if let failure = report.storageFailure { return begin(failure.message, of: timeline, .error, isAwaited, at: now) }
      if troubles.removeValue(forKey: timeline) != nil, !isAwaited {
        write(.notice, "\(timeline): refreshes are working again", at: now)
      }
      if !isAwaited { log(.debug, "\(timeline): \(new) new post\(new == 1 ? "" : "s")") }
    case .failed, .notSent:
      guard let failure = report.failure else { return }
      // A missing login is not logged, because the summary at the start shows it.
      if reported == failure.message, let problem = report.problem, problem.code == .notAuthorised {
        troubles[timeline] = Trouble(message: failure.message, isLogged: true)
      }
      begin(failure.message, of: timeline, .warning, isAwaited, at: now)
    }
  }

  private mutating func begin(
    _ message: String, of timeline: TimelineKey, _ level: Log.Level, _ isAwaited: Bool, at now: BootInstant
  ) {
    let isLogged = troubles[timeline].map { $0.message == message && $0.isLogged } ?? false
    troubles[timeline] = Trouble(message: message, isLogged: isLogged || !isAwaited)
    guard !isAwaited else { return }
    if isLogged { log(.debug, "\(timeline): \(message)") } else { write(level, "\(timeline): \(message)", at: now) }
  }

  /// Logs a line at its own level, or at DEBUG if the hour's limit has been reached.
  private mutating func write(_ level: Log.Level, _ line: String, at now: BootInstant) {
    if hour.map({ now - $0.began >= .seconds(3600) }) ?? true { hour = (now, 0) }
    hour?.lines += 1
    let lines = hour?.lines ?? 0
    log(lines <= Self.linesPerHour ? level : .debug, line)
    if lines == Self.linesPerHour {
      log(
        .notice,
        "no more lines about accounts are logged for the rest of the hour; to see each account's state, run: homeline status"
      )
    }
  }
}
