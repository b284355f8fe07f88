internal import Commands
internal import TerminalText

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
    findings = DiagnosticResult.lines(of: sorted) { redactor.text(of: $0) }.map { $0.plainText + "\n" }.joined()
  }

  /// The message: a request to the user, a place to write, and the findings.
  package var message: String { Self.head() + findings }

  /// Returns the message for an email that cannot contain all findings. It asks the user to attach a file and contains the first findings.
  /// - Parameters:
  ///   - limit: the maximum size of the message in bytes. The findings are cut off at the end of a line.
  ///   - file: the path of the complete report, which the message states.
  func excerpt(limit: Int, completeReport file: String) -> String {
    var text = Self.head(
      """

      This mail contains only the beginning of the report. Please attach the complete report: \(file)
      这封邮件只包含报告的开头，请附上完整的报告：\(file)

      """)
    let note = "--- cut here; the complete report is in the attached file ---\n"
    for line in findings.split(separator: "\n") {
      guard text.utf8.count + line.utf8.count + 1 + note.utf8.count <= limit else { break }
      text += line + "\n"
    }
    return text + note
  }

  /// Returns the beginning of the message, up to the findings.
  /// - Parameter request: lines to put after the request to describe the problem.
  private static func head(_ request: String = "") -> String {
    """
    Please describe in English or Chinese what you did, what you expected and what happened instead.
    请用英文或中文说明：您做了什么，期望什么结果，实际发生了什么。
    \(request)



    --- homeline doctor; names, hosts, paths and keys are replaced by placeholders ---

    """
  }
}
