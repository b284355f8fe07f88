package import ControlProtocol
internal import Platform
internal import Settings
internal import Time
internal import Timeline

/// Prints the outcome of a refresh.
package enum RefreshTerminal {
  package static func show(_ report: RefreshedEvent) {
    for warning in report.warnings { say(warning, of: report) }
    if report.new != nil, report.timeline == nil {
      try? Terminal.answer("\(report.account): the token is valid\n")
    } else if let new = report.new, let timeline = report.timeline {
      try? Terminal.answer("\(report.account): \(count(of: new, in: report.account)), in \(timeline)\n")
    } else if let message = report.message {
      say(Self.sentence(message, of: report, times: LocalTimes(at: WallClock.system.now)), of: report)
    }
  }

  /// Returns the number of new entries of a timeline as text.
  /// - Parameter name: the account for its home timeline, otherwise `ACCOUNT/TIMELINE`.
  static func count(of new: Int, in name: String) -> String {
    let isOfEvents = TimelineKey.parts(of: name).timeline == TimelineName.Kind.notifications.rawValue
    let noun = isOfEvents ? "notification" : "post"
    return new == 0 ? "nothing new" : "\(new) new \(noun)\(new == 1 ? "" : "s")"
  }

  /// Returns the reason a refresh failed, and when homeline asks again.
  static func sentence(_ message: String, of report: RefreshedEvent, times: LocalTimes) -> String {
    let worked = report.workedAt.map { ", which worked at \(times.place(of: $0))" } ?? ""
    guard let retryAt = report.retryAt else { return message + worked }
    let reason = message.hasSuffix(".") ? String(message.dropLast()) : message
    let condition = report.retryBy == "service" ? "" : " if its service is running"
    return "\(reason)\(worked). homeline will try again at \(times.exact(of: retryAt))\(condition)"
  }

  private static func say(_ sentence: String, of report: RefreshedEvent) {
    Terminal.say("homeline: \(report.account): \(sentence)")
  }
}
