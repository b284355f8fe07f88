package import Control
internal import Platform

/// Shows what came of a refresh.
package enum RefreshTerminal {
  package static func show(_ report: ControlEvent.Refreshed) {
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

  private static func say(_ sentence: String, of report: ControlEvent.Refreshed) {
    Terminal.say("homeline: \(report.account): \(sentence)")
  }
}
