/// Documentation text. Text between backquotes is literal, as the user types or sees it.
package enum TextBlock: Sendable, Hashable, ExpressibleByStringLiteral {
  case paragraph(String)
  /// A list of literal terms, each with its explanation.
  case terms([Term])
  /// Lines that are printed literally.
  case code(String)

  package struct Term: Sendable, Hashable {
    package let term: String
    package let explanation: String

    package init(_ term: String, _ explanation: String) {
      self.term = term
      self.explanation = explanation
    }
  }

  package init(stringLiteral text: String) { self = .paragraph(text) }
}
