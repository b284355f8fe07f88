internal import Commands

/// A report that the user can send to the developer: the findings without private values.
package struct DiagnosticReport: Sendable {
  package static let subject = "homeline \(Version.number): report"

  /// The findings, the most serious first.
  let findings: String

  package init(_ result: DiagnosticResult, in context: DiagnosticContext) {
    self.init(result, PrivateValues(context))
  }

  init(_ result: DiagnosticResult, _ values: PrivateValues) {
    var redactor = Redactor(values)
    let sorted = Finding.Level.allCases.reversed().flatMap { level in
      result.findings.filter { $0.finding.level == level }
    }
    findings = DiagnosticResult.lines(of: sorted) { redactor.text(of: $0) }
  }

  /// The message: a request to the user, a place to write, and the findings.
  /// - Parameter limit: The maximum size of the message in bytes; nil means no limit. If the findings do not fit, they are cut off at the
  ///   end of a line, and the message says so.
  package func message(limit: Int? = nil) -> String {
    let head = """
      Please describe in English or Chinese what you did, what you expected and what happened instead.
      请用英文或中文说明：您做了什么，期望什么结果，实际发生了什么。




      --- homeline doctor; names, hosts, paths and keys are replaced by placeholders ---

      """
    let whole = head + findings
    guard let limit, whole.utf8.count > limit else { return whole }
    let note = "--- cut here: attach the complete report, which is the output of: homeline report --print ---\n"
    var text = head
    for line in findings.split(separator: "\n") {
      guard text.utf8.count + line.utf8.count + 1 + note.utf8.count <= limit else { break }
      text += line + "\n"
    }
    return text + note
  }
}
