internal import Commands
package import ControlProtocol
package import HTTP
internal import Platform
package import Time

/// Why a change did not succeed, for its page.
package struct ChangeFailure: Sendable, Hashable {
  package var status: StatusCode
  /// What happened, to what, and what to do next, in sentences.
  package var advice: [String]
  /// What the user can agree to so that the change succeeds; nil if there is nothing.
  package var question: EndEvent.Question?
}

extension WebChanges.Outcome {
  /// Returns the reason the change did not succeed, or is not known to have succeeded; nil if it did.
  /// - Parameter now: the current time. A time to try again is shown on this day.
  package func failure(at now: Timestamp) -> ChangeFailure? {
    switch end {
    case .response(.nothing), .response(.document): nil
    case .response(.refusal(let error)):
      ChangeFailure(status: error.status, advice: [ChangeFailure.sentence(error.message)])
    case .response(.end(let end)):
      end.exit == .done
        ? nil
        : ChangeFailure(status: end.exit.status, advice: advice(of: end, at: now), question: end.question)
    case .underWay: .underWay
    }
  }

  private func advice(of end: EndEvent, at now: Timestamp) -> [String] {
    // A refresh reports each failure in its own event, and notices explain others.
    let reported = events.compactMap { event in
      switch event {
      case let refreshed as RefreshedEvent: refreshed.message.map { "\(refreshed.account): \($0)" }
      case let notice as NoticeEvent: notice.message
      case let outbox as OutboxEvent: outbox.message
      default: nil
      }
    }
    var sentences = (end.message.map { [$0] } ?? reported).map { ChangeFailure.sentence($0) }
    if sentences.isEmpty { sentences = ["The status page shows what is wrong."] }
    if let retryAt = end.retryAt {
      sentences.append("It can be tried again at \(LocalTimes(at: now).exact(of: retryAt)).")
    } else if end.exit == .temporary || end.exit == .unavailable {
      sentences.append("It can be tried again later.")
    }
    return sentences
  }
}

extension ChangeFailure {
  /// The change takes longer than a page waits.
  fileprivate static let underWay = ChangeFailure(
    status: StatusCode(202),
    advice: [
      "homeline is still waiting for the account or its server, and goes on.",
      "Load the page again in a moment to see what became of it. The status page shows what the account is doing.",
    ])

  /// Returns a message as a sentence with a full stop.
  fileprivate static func sentence(_ message: String) -> String {
    message.last.map { ".!?".contains($0) } ?? true ? message : message + "."
  }
}

extension WebError {
  /// The page of a change that did not succeed.
  /// - Parameter title: what did not happen, without a full stop.
  package init(_ title: String, _ failure: ChangeFailure, way: Way) {
    self.init(failure.status, title, way: way)
    advice = failure.advice
  }
}

extension ExitCode {
  /// The status of a page about a change that a command would end with this code.
  fileprivate var status: StatusCode {
    switch self {
    case .done: .ok
    case .usage: .badRequest
    case .badData: StatusCode(422)
    case .faultsFound, .notAuthorised, .configuration: StatusCode(409)
    case .temporary, .unavailable, .interrupted: .serviceUnavailable
    case .software, .cannotCreate, .inputOutput: .internalServerError
    }
  }
}
