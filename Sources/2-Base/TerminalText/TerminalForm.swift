/// The capabilities of the output. A file or a pipe gets plain lines.
package struct TerminalForm: Sendable, Hashable {
  /// The width to wrap text to; `nil` to leave lines unchanged.
  package var columns: Int?
  /// Whether ANSI colours are supported (ECMA-48 §8.3.117, SGR).
  package var isColoured: Bool
  /// Whether hyperlinks are supported (OSC 8).
  package var hasLinks: Bool

  package init(columns: Int? = nil, isColoured: Bool = false, hasLinks: Bool = false) {
    self.columns = columns
    self.isColoured = isColoured
    self.hasLinks = hasLinks
  }

  /// Returns the text width for a terminal of this width: at least 20 and at most 100 columns, because longer lines are hard to read.
  package static func textColumns(ofTerminal width: Int) -> Int { min(max(width, 20), 100) }
}
