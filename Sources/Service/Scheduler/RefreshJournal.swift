internal import Platform
internal import Settings

/// Writes down what comes of refreshes: a failure once when it begins, and once when it is over, however often it is met between.
struct RefreshJournal {
  private let log: Log
  private var troubles: [AccountName: Trouble] = [:]
  /// What another process has left behind, until the first report.
  private var former: [AccountName: String] = [:]
  private var known: Set<AccountName> = []

  /// What is wrong, and whether the log says so already.
  private struct Trouble {
    let message: String
    let isLogged: Bool
  }

  init(log: Log) { self.log = log }

  func trouble(of account: AccountName) -> String? { troubles[account]?.message ?? former[account] }

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
    let isLogged = troubles[account].map { $0.message == message && $0.isLogged } ?? false
    troubles[account] = Trouble(message: message, isLogged: isLogged || !isAwaited)
    if !isAwaited { log(isLogged ? .debug : level, "\(account): \(message)") }
  }
}
