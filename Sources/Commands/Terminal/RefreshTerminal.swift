package import Control
package import HomelineOAuth
package import Platform
internal import TerminalText

/// Prints the outcome of a refresh.
package enum RefreshTerminal {
  package static func show(_ report: RefreshedEvent) {
    for warning in report.warnings { say(warning, of: report) }
    if report.new != nil, report.timeline == nil {
      try? Terminal.answer("\(report.account): the token is valid\n")
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

/// Prints a token. No other code in the program prints secrets.
package enum TokenTerminal {
  /// Writes the token and a line feed to standard output.
  /// - Returns: `.done`, or `.inputOutput` if the token could not be written.
  package static func show(_ token: Secret) -> ExitCode {
    do throws(SystemError) {
      try token.withExposed { bytes throws(SystemError) in
        try Terminal.answer(.data(OutputData(value: bytes + [UInt8(ascii: "\n")])))
      }
      return .done
    } catch {
      Terminal.say("homeline: could not print the token: \(error)")
      return .inputOutput
    }
  }
}
