package import JSON
package import Platform
package import Time

/// Reports that a timeline's refresh has succeeded or failed.
package struct RefreshedEvent: ControlEvent {
  package static let name = "refreshed"
  /// The account for its home timeline, otherwise `ACCOUNT/TIMELINE`.
  package var account: String
  /// The number of new posts; nil if the refresh failed.
  package var new: Int?
  /// The reason the refresh failed, without the account's name; nil if it succeeded.
  package var message: String?
  /// The exit code for a command that refreshes only this account.
  package var exit: ExitCode
  /// Warnings for the user, without the account's name, such as that new posts could not be stored.
  package var warnings: [String]
  /// The path of the published timeline; nil if the account has no timeline: then its token was checked
  /// instead.
  package var timeline: String?
  /// When the next attempt is due; nil if the refresh succeeded, or if homeline will not retry on its own.
  package var retryAt: Timestamp?
  /// What makes the next attempt: `service`, or `command` if no service is running.
  package var retryBy: String?
  /// When the timeline last arrived, if the server now reports that it does not exist.
  package var workedAt: Timestamp?

  package init(
    account: String, new: Int?, message: String?, exit: ExitCode, warnings: [String], timeline: String?,
    retryAt: Timestamp? = nil, retryBy: String? = nil, workedAt: Timestamp? = nil
  ) {
    self.account = account
    self.new = new
    self.message = message
    self.exit = exit
    self.warnings = warnings
    self.timeline = timeline
    self.retryAt = retryAt
    self.retryBy = retryBy
    self.workedAt = workedAt
  }

  package init(_ members: EventMembers) throws(EventMembers.MissingMemberError) {
    self.init(
      account: try members.text("account"), new: members.numberOrNull("new"), message: members.textOrNull("message"),
      exit: try members.exit(), warnings: try members.list("warnings"), timeline: members.textOrNull("timeline"),
      retryAt: members.timeOrNull("retry_at"), retryBy: members.textOrNull("retry_by"),
      workedAt: members.timeOrNull("worked_at"))
  }

  package func write(to json: inout JSONWriter) {
    json.member("account", account)
    json.member("new", new)
    json.member("message", message)
    json.member("exit", exit.rawValue)
    json.member("warnings", list: warnings) { $0.string($1) }
    json.member("timeline", timeline)
    json.member("retry_at", retryAt?.rfc3339)
    json.member("retry_by", retryBy)
    json.member("worked_at", workedAt?.rfc3339)
  }
}
