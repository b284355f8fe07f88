/// A command line with an explanation.
package struct CommandExample: Sendable, Hashable {
  package let line: String
  package let explanation: String

  package init(_ line: String, _ explanation: String) {
    self.line = line
    self.explanation = explanation
  }
}
