/// One check of `homeline doctor`. A check changes nothing: it writes no file, starts no service and prompts for no password.
///
/// A new check is a type in `Checks` and an entry in ``StandardChecks``.
package protocol DiagnosticCheck: Sendable {
  /// The name of the check in the output. The name is short, and in lower case unless it is an abbreviation.
  var name: String { get }
  /// The time after which the run continues without this check; at most ``DiagnosticRun/longestLimit``.
  var timeLimit: Duration { get }

  /// Performs the check and returns at least one finding. This function is called on a separate thread.
  func findings(in context: DiagnosticContext) -> [Finding]
}

extension DiagnosticCheck {
  package var timeLimit: Duration { .seconds(5) }
}
