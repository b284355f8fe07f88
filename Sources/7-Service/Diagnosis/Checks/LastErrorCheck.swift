internal import ControlProtocol
internal import Settings
internal import Storage
internal import Time
internal import Timeline

/// Reports the last error of each timeline of the enabled accounts.
struct LastErrorCheck: DiagnosticCheck {
  let name = "last errors"
  let isQuick = true

  func findings(in context: DiagnosticContext) -> [Finding] {
    let standings = Dictionary(
      context.ownerStatus?.accounts.map { ($0.account, $0) } ?? [], uniquingKeysWith: { first, _ in first })
    let problems = context.enabledAccounts.flatMap { account -> [Finding] in
      let name = account.name.text
      if let reason = standings[name]?.notStored {
        return [.fault("\(name: name): not stored: \(foreign: reason)")]
      }
      // The database check reports databases that cannot be read.
      guard let database = try? context.storage.openForReading(.home(of: account.name), isSnapshot: true) else {
        return []
      }
      defer { database.close() }
      guard let state = try? database.state() else { return [] }
      return account.timelines.compactMap { timeline in
        guard let problem = state[timeline].problem else { return nil }
        // After a logout, or before the first login, there is no token; the token check reports this.
        if problem.code == .notAuthorised, (try? context.storage.tokens(of: account.name).read()) == nil {
          return nil
        }
        return Self.finding(
          timeline == .home ? "\(name: name)" : "\(name: name)/\(name: timeline.description)", problem)
      }
    }
    return problems.isEmpty ? [.ok("there are none")] : problems
  }

  /// Returns a warning for a problem with a time for the next attempt, because it may resolve itself. Any other problem is a fault,
  /// because the user has to solve it.
  private static func finding(_ subject: DiagnosticText, _ problem: Problem) -> Finding {
    let text: DiagnosticText = "\(subject): \(harmless: problem.code.rawValue): \(foreign: problem.message)"
    guard let retry = problem.retryAt else { return .fault(text) }
    return .warning("\(text); homeline tries again at \(harmless: retry.rfc3339)")
  }
}
