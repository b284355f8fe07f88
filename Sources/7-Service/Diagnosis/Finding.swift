/// One result of a check.
package struct Finding: Sendable, Hashable {
  package enum Level: String, Sendable, Hashable, Comparable, CaseIterable {
    case ok, warning, fault

    package static func < (left: Level, right: Level) -> Bool { left.rank < right.rank }

    private var rank: Int {
      switch self {
      case .ok: 0
      case .warning: 1
      case .fault: 2
      }
    }
  }

  package let level: Level
  /// The result as a sentence without a final full stop.
  package let text: DiagnosticText
  /// Advice for the user, such as `To authorise it: homeline login bird`; nil if there is nothing to do.
  package let nextStep: DiagnosticText?

  package init(_ level: Level, _ text: DiagnosticText, next: DiagnosticText? = nil) {
    self.level = level
    self.text = text
    nextStep = next
  }

  package static func ok(_ text: DiagnosticText, next: DiagnosticText? = nil) -> Finding {
    Finding(.ok, text, next: next)
  }
  package static func warning(_ text: DiagnosticText, next: DiagnosticText? = nil) -> Finding {
    Finding(.warning, text, next: next)
  }
  package static func fault(_ text: DiagnosticText, next: DiagnosticText? = nil) -> Finding {
    Finding(.fault, text, next: next)
  }
}
