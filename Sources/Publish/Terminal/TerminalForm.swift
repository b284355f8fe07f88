/// What may be written to where posts are shown. A file or a pipe gets bare lines.
package struct TerminalForm: Sendable, Hashable {
  /// In how many columns text is set; `nil` leaves lines as they are.
  package var columns: Int?
  /// ANSI colours (ECMA-48 §8.3.117, SGR).
  package var isColoured: Bool
  /// Hyperlinks (OSC 8).
  package var hasLinks: Bool

  package init(columns: Int? = nil, isColoured: Bool = false, hasLinks: Bool = false) {
    self.columns = columns
    self.isColoured = isColoured
    self.hasLinks = hasLinks
  }

  /// The columns of a text on a terminal of this width: 20 at least, and 100 at most, since longer lines are hard to read.
  package static func textColumns(ofTerminal width: Int) -> Int { min(max(width, 20), 100) }
}
