internal import Platform
internal import Settings
internal import Storage

/// Checks whether the accounts' databases pass SQLite's quick check. `homeline check --archive` checks them more thoroughly.
struct DatabaseCheck: DiagnosticCheck {
  let name = "databases"
  var timeLimit: Duration { DiagnosticRun.longestLimit }

  /// After this time, no more databases are checked, so that the results so far can be reported.
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
