/// One check of `homeline doctor`. It changes nothing: it writes no file, starts no service and asks for no password.
///
/// A new check is a type in `Checks` and an entry in ``StandardChecks``.
package protocol DiagnosticCheck: Sendable {
  /// The name in the output: short, and in lower case unless it is an abbreviation.
  var name: String { get }
  /// The time after which the run continues without this check; at most ``DiagnosticRun/longestLimit``.
  var timeLimit: Duration { get }

  /// Returns at least one finding. Called on a separate thread.
  func findings(in context: DiagnosticContext) -> [Finding]
}

extension DiagnosticCheck {
  package var timeLimit: Duration { .seconds(5) }
}
