internal import CivilTime
internal import Timeline

/// What of a timeline's state a status bar should show.
struct BarState: Sendable {
  /// `unread` or `read`, then what is wrong.
  let classes: [String]
  /// What is wrong, in sentences.
  let trouble: [String]

  var isTroubled: Bool { classes.count > 1 }
  /// What needs its user first.
  var mostPressing: String { classes.last! }

  /// - Parameter now: when it is published: a login's end is said a week before, as the service warns of it.
  init(_ head: TimelineHead, at now: Timestamp) {
    var classes = [head.unread > 0 ? "unread" : "read"]
    var trouble: [String] = []
    if head.problem != nil || head.staleSince != nil {
      classes.append("stale")
      if let since = head.staleSince { trouble.append("Refreshes have failed since \(since.rfc3339).") }
      if let problem = head.problem { trouble.append(problem.message) }
    }
    let endsSoon = head.loginNeededBy.flatMap { $0 - now <= .seconds(7 * 86400) ? $0 : nil }
    if let endsSoon { trouble.append("Log in again by \(endsSoon.rfc3339): homeline login \(head.account)") }
    if endsSoon != nil || head.problem?.code == .notAuthorised { classes.append("login") }
    self.classes = classes
    self.trouble = trouble
  }
}
