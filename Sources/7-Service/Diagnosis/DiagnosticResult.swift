internal import Commands
internal import JSON
package import Platform
package import TerminalText

/// The findings of all checks.
package struct DiagnosticResult: Sendable, Hashable {
  package struct Entry: Sendable, Hashable {
    /// The check's name.
    package let check: String
    package let finding: Finding

    package init(check: String, finding: Finding) {
      self.check = check
      self.finding = finding
    }
  }

  /// The findings, in the order of the checks.
  package let findings: [Entry]

  package init(findings: [Entry]) { self.findings = findings }

  /// Returns the number of findings at a level.
  func count(_ level: Finding.Level) -> Int { findings.count { $0.finding.level == level } }

  package var exitCode: ExitCode { count(.fault) > 0 ? .faultsFound : .done }

  /// The number of faults and warnings as text, such as `2 faults and 1 warning`.
  package var summary: String {
    func counted(_ level: Finding.Level) -> String {
      "\(count(level)) \(level.rawValue)\(count(level) == 1 ? "" : "s")"
    }
    return count(.fault) + count(.warning) == 0 ? "everything is ok" : "\(counted(.fault)) and \(counted(.warning))"
  }
}

extension DiagnosticResult {
  /// Returns the findings as human-readable text, one line each, with coloured levels if the terminal has colours.
  package func text(for form: TerminalForm) -> RenderedText {
    let lines = Self.lines(of: findings) { VisibleText.of($0.plain) }.flatMap { TextFlow.lines($0, to: form.columns) }
    return lines.map { $0.rendered(for: form) + RenderedText("\n") }.joined()
  }

  /// Returns one line for each finding: its level, the check, the text, and the next step.
  package static func lines(of entries: [Entry], _ text: (DiagnosticText) -> String) -> [StyledText] {
    let width = entries.map(\.check.count).max() ?? 0
    return entries.map { entry in
      let next = entry.finding.nextStep.map { ". \(text($0))" } ?? ""
      var line = StyledText(padded(entry.finding.level.rawValue, to: 7), style(of: entry.finding.level))
      line.append("  \(padded(entry.check, to: width))  \(singleLine(text(entry.finding.text) + next))")
      return line
    }
  }

  private static func style(of level: Finding.Level) -> StyledText.Style {
    switch level {
    case .ok: .good
    case .warning: .warning
    case .fault: .bad
    }
  }

  private static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  private static func singleLine(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  /// The findings for scripts: one object that always has every member.
  package var json: [UInt8] {
    var writer = JSONWriter(indented: true)
    writer.object { json in
      json.member("schema", 1)
      json.member("version", Version.number)
      json.member("faults", count(.fault))
      json.member("warnings", count(.warning))
      json.member("findings", list: findings) { json, entry in
        json.object { json in
          json.member("check", entry.check)
          json.member("level", entry.finding.level.rawValue)
          json.member("message", entry.finding.text.plain)
          json.member("next_step", entry.finding.nextStep?.plain)
        }
      }
    }
    return writer.bytes + [UInt8(ascii: "\n")]
  }
}
