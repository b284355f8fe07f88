internal import ControlProtocol
internal import Settings
internal import Storage
internal import Time
internal import Timeline

/// Reports the last error of each enabled account.
struct LastErrorCheck: DiagnosticCheck {
  let name = "last errors"

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
      guard let problem = try? database.state()[.home].problem else { return [] }
      // After a logout, or before the first login, there is no token; the token check reports this.
      if problem.code == .notAuthorised, (try? context.storage.tokens(of: account.name).read()) == nil {
        return []
      }
      return [Self.finding(name, problem)]
    }
    return problems.isEmpty ? [.ok("there are none")] : problems
  }

  /// Returns a warning for a problem with a time for the next attempt, because it may resolve itself. Any other problem is a fault,
  /// because the user has to solve it.
  private static func finding(_ account: String, _ problem: Problem) -> Finding {
    let text: DiagnosticText = "\(name: account): \(harmless: problem.code.rawValue): \(foreign: problem.message)"
    guard let retry = problem.retryAt else { return .fault(text) }
    return .warning("\(text); homeline tries again at \(harmless: retry.rfc3339)")
  }
}
