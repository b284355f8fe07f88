internal import CivilTime
internal import Control
internal import Platform
internal import Settings
internal import Storage
internal import Timeline

/// Checks whether the accounts' databases pass SQLite's quick check. `homeline check --archive` checks them more thoroughly.
struct DatabaseCheck: DiagnosticCheck {
  let name = "databases"
  var timeLimit: Duration { DiagnosticRun.longestLimit }

  /// The time after which no more databases are checked, so that the results so far can be reported.
  private static let patience = Duration.seconds(10)

  func findings(in context: DiagnosticContext) -> [Finding] {
    if let problem = context.storageProblem { return [.fault("\(foreign: problem)")] }
    let accounts = context.accounts.map(\.name).filter { context.storage.hasTimeline(.home(of: $0)) }
    let deadline = BootInstant.now + Self.patience
    var findings: [Finding] = []
    var checked = 0
    for account in accounts {
      if BootInstant.now > deadline { break }
      checked += 1
      findings += Self.problems(of: account, context.storage)
    }
    if checked < accounts.count {
      findings.append(
        .warning(
          "\(accounts.count - checked) of \(accounts.count) databases were not checked, because this would take too long",
          next: "To check all: homeline check --archive"))
    }
    if findings.isEmpty {
      findings = [
        .ok(checked == 0 ? "there are none yet" : "\(checked) \(harmless: checked == 1 ? "is" : "are") sound")
      ]
    }
    return findings
  }

  private static func problems(of account: AccountName, _ storage: any StorageProvider) -> [Finding] {
    do throws(StorageError) {
      guard let database = try storage.openForReading(.home(of: account), isSnapshot: true) else { return [] }
      defer { database.close() }
      let problems = try database.quickCheck()
      if problems.isEmpty { return [] }
      return [
        .fault(
          "\(name: account.text): the database is corrupt: \(foreign: problems.joined(separator: "; "))",
          next:
            "The service recovers the readable posts the next time it starts. To save them now: homeline export \(name: account.text)"
        )
      ]
    } catch {
      return [Finding(error.kind == .busy ? .warning : .fault, "\(name: account.text): \(foreign: "\(error)")")]
    }
  }
}

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
      guard let problem = try? database.state().problem else { return [] }
      return [Self.finding(name, problem)]
    }
    return problems.isEmpty ? [.ok("there are none")] : problems
  }

  /// Returns a warning for a problem that has a time for the next attempt, because it may go away on its own. Any other problem is a fault,
  /// because the user has to solve it.
  private static func finding(_ account: String, _ problem: Problem) -> Finding {
    let text: DiagnosticText = "\(name: account): \(harmless: problem.code.rawValue): \(foreign: problem.message)"
    guard let retry = problem.retryAt else { return .fault(text) }
    return .warning("\(text); homeline tries again at \(harmless: retry.rfc3339)")
  }
}
