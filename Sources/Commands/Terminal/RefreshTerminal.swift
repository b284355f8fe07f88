package import Control
package import HomelineOAuth
package import Platform

/// Shows the outcome of a refresh.
package enum RefreshTerminal {
  package static func show(_ report: RefreshedEvent) {
    for warning in report.warnings { say(warning, of: report) }
    if report.new != nil, report.timeline == nil {
      try? Terminal.answer("\(report.account): the token is good\n")
    } else if let new = report.new, let timeline = report.timeline {
      let count = new == 0 ? "nothing new" : new == 1 ? "1 new post" : "\(new) new posts"
      try? Terminal.answer("\(report.account): \(count), in \(timeline)\n")
    } else if let message = report.message {
      say(message, of: report)
    }
  }

  private static func say(_ sentence: String, of report: RefreshedEvent) {
    Terminal.say("homeline: \(report.account): \(sentence)")
  }
}

/// Prints a token: the only place that does.
package enum TokenTerminal {
  /// Writes it and a line feed to standard output.
  /// - Returns: `.inputOutput` when it could not be written.
  package static func show(_ token: Secret) -> ExitCode {
    do throws(SystemError) {
      try token.withExposed { bytes throws(SystemError) in try Terminal.answer(bytes: bytes + [UInt8(ascii: "\n")]) }
      return .done
    } catch {
      Terminal.say("homeline: the token could not be written: \(error)")
      return .inputOutput
    }
  }
}
