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
    for warning in report.warnings { Terminal.say("homeline: \(report.account): \(warning)") }
    if case .refreshed(let new) = report.outcome {
      let count = new == 0 ? "nothing new" : new == 1 ? "1 new post" : "\(new) new posts"
      try? Terminal.answer("\(report.account): \(count), in \(files.timeline)\n")
      return report.warnings.isEmpty ? .done : .inputOutput
    }
    guard let failure = report.failure else { return .done }
    let shown = CommandFailure(failure)
    Terminal.say("homeline: \(report.account): \(shown.message)")
    return shown.code
  }
}
