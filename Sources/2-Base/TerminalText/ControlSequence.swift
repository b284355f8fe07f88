/// The control sequences that this program sends to a terminal.
package enum ControlSequence: Sendable, Hashable {
  /// Sets the style of the text after it; no parameters mean the default (ECMA-48 §8.3.117, SGR).
  case rendition([Int])
  /// Begins a hyperlink (OSC 8).
  case link(LinkTarget)
  /// Ends a hyperlink.
  case endOfLink
  /// Returns to the first column and clears the line (ECMA-48 §8.3.41, EL).
  case clearedLine

  var text: String {
    switch self {
    case .rendition(let parameters):
      "\u{1b}[\(parameters.isEmpty ? "0" : parameters.map(String.init).joined(separator: ";"))m"
    case .link(let target): "\u{1b}]8;id=\(target.identity);\(target.text)\u{1b}\\"
    case .endOfLink: "\u{1b}]8;;\u{1b}\\"
    case .clearedLine: "\r\u{1b}[K"
    }
  }
}
