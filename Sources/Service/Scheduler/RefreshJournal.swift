internal import Platform
internal import Settings

/// Writes down what comes of refreshes: a failure once when it begins, and once when it is over, however often it is met between.
struct RefreshJournal {
  private let log: Log
  private var troubles: [AccountName: String] = [:]
  /// What another process has left behind, until the first report.
  private var former: [AccountName: String] = [:]
  private var known: Set<AccountName> = []

  init(log: Log) { self.log = log }

  func trouble(of account: AccountName) -> String? { troubles[account] ?? former[account] }

  /// Takes up what is known of an account from before, unless something is known already. It is no news, and not written.
  mutating func begin(_ account: AccountName, with trouble: String?) {
    if !known.contains(account), let trouble { former[account] = trouble }
  }

  mutating func forget(_ account: AccountName) {
    troubles[account] = nil
    former[account] = nil
    known.remove(account)
  }

  /// - Parameter isAwaited: whether somebody waits for the report, who will show it.
  mutating func note(_ report: RefreshReport, of account: AccountName, isAwaited: Bool) {
    for warning in report.warnings { log(.warning, "\(account): \(warning)") }
    switch report.outcome {
    case .limited, .cancelled: return
    default: break
    }
    known.insert(account)
    former[account] = nil
    switch report.outcome {
    case .limited, .cancelled: break
    case .refreshed(let new):
      if let failure = report.notKept { return begin(failure.message, of: account, .error, isAwaited) }
      if troubles.removeValue(forKey: account) != nil, !isAwaited { log(.notice, "\(account): refreshed again") }
      if !isAwaited { log(new > 0 ? .info : .debug, "\(account): \(new) new post\(new == 1 ? "" : "s")") }
    case .failed, .unable:
      if let failure = report.failure { begin(failure.message, of: account, .warning, isAwaited) }
    }
  }

  private mutating func begin(_ message: String, of account: AccountName, _ level: Log.Level, _ isAwaited: Bool) {
    let isNew = troubles.updateValue(message, forKey: account) != message
    if !isAwaited { log(isNew ? level : .debug, "\(account): \(message)") }
  }
}
