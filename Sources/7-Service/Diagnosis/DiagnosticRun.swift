internal import Dispatch
internal import Platform

/// Runs checks at the same time, each on its own thread and with its own time limit.
package struct DiagnosticRun: Sendable {
  /// The longest time limit of any check. Including the time to read the context, `homeline doctor` finishes within 20 seconds.
  package static let longestLimit = Duration.seconds(15)

  private let checks: [any DiagnosticCheck]

  package init(_ checks: [any DiagnosticCheck]) { self.checks = checks }

  /// Runs all checks. A check that does not finish in time is reported as a warning, and its thread is abandoned.
  package func result(in context: DiagnosticContext) -> DiagnosticResult {
    let begin = DispatchTime.now()
    let calls = checks.map { check in TimedCall { check.findings(in: context) } }
    return DiagnosticResult(
      findings: zip(checks, calls).flatMap { check, call in
        let limit = min(check.timeLimit, Self.longestLimit)
        let findings =
          call.value(by: begin + .nanoseconds(Int(limit.nanoseconds)))
          ?? [.warning("no result within \(limit.components.seconds) seconds")]
        return findings.map { DiagnosticResult.Entry(check: check.name, finding: $0) }
      })
  }
}
