/// One check run by `homeline doctor`. A check changes nothing: it writes no file, starts no service and prompts for no password.
///
/// To add a check, add a type in `Checks` and an entry in ``StandardChecks``.
package protocol DiagnosticCheck: Sendable {
  /// The name of the check in the output. It is short, and in lower case unless it is an abbreviation.
  var name: String { get }
  /// The time to wait for this check before continuing without it; at most ``DiagnosticRun/longestLimit``.
  var timeLimit: Duration { get }
  /// Whether the check only reads a few small local files, so that it can run each time somebody looks at the status page.
  var isQuick: Bool { get }

  /// Performs the check and returns at least one finding. Called on a separate thread.
  func findings(in context: DiagnosticContext) -> [Finding]
}

extension DiagnosticCheck {
  package var timeLimit: Duration { .seconds(5) }
  package var isQuick: Bool { false }
}
