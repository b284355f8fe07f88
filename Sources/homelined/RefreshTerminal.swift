internal import Commands
internal import Platform
internal import Service
internal import Store

/// Shows what came of a refresh.
struct RefreshTerminal {
  let files: AccountFiles

  /// - Returns: the exit code that the account deserves.
  @discardableResult
  func show(_ report: RefreshReport) -> ExitCode {
    for warning in report.warnings { say(warning, of: report) }
    if let failure = report.notKept { say(failure.message, of: report) }
    if case .refreshed(let new) = report.outcome {
      let count = new == 0 ? "nothing new" : new == 1 ? "1 new post" : "\(new) new posts"
      try? Terminal.answer("\(report.account): \(count), in \(files.timeline)\n")
    } else if let failure = report.failure {
      say(failure.message, of: report)
    }
    let codes = [report.failure, report.notKept].compactMap { $0 }.map { CommandFailure($0).code }
    return codes.reduce(.done) { $0.worse($1) }
  }

  private func say(_ sentence: String, of report: RefreshReport) {
    Terminal.say("homeline: \(report.account): \(sentence)")
  }
}
