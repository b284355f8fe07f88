package import JSON
package import Platform
package import Time

/// The last event of every job.
package struct EndEvent: ControlEvent {
  package static let name = "end"
  package static let isResult = false
  /// The exit code of the command.
  package var exit: ExitCode
  /// The reason the job failed, with the account's name if the failure concerns an account. It is nil if the job succeeded,
  /// or if earlier events contained the reason (`RefreshedEvent`).
  package var message: String?
  /// When the request can be tried again, if known.
  package var retryAt: Timestamp?
  /// What the user can agree to so that the request succeeds.
  package var question: Question?
  /// The cost that the user can agree to, in millionths of a US dollar.
  package var cost: Int64?

  package enum Question: String, Sendable, Hashable, CaseIterable {
    /// `trust_server` of `SendPostRequest`.
    case trustServer = "trust_server"
    /// `confirmed` of `SendPostRequest` and `OutboxRequest`. The cost is in `cost`.
    case confirmCost = "confirm_cost"
  }

  package init(
    exit: ExitCode, message: String? = nil, retryAt: Timestamp? = nil, question: Question? = nil, cost: Int64? = nil
  ) {
    self.exit = exit
    self.message = message
    self.retryAt = retryAt
    self.question = question
    self.cost = cost
  }

  package init(_ members: EventMembers) throws(EventMembers.MissingMemberError) {
    self.init(
      exit: try members.exit(), message: members.textOrNull("message"), retryAt: members.timeOrNull("retry_at"),
      question: members.textOrNull("question").flatMap { Question(rawValue: $0) },
      cost: members.numberOrNull("cost_micro_usd").map { Int64($0) })
  }

  package func write(to json: inout JSONWriter) {
    json.member("exit", exit.rawValue)
    json.member("message", message)
    json.member("retry_at", retryAt?.rfc3339)
    if let question { json.member("question", question.rawValue) }
    if let cost { json.member("cost_micro_usd", cost) }
  }
}
