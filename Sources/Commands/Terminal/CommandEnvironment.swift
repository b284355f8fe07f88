package import Platform
package import TerminalText

/// The environment of a command: its variables, and the folders and terminal features that they select.
package struct CommandEnvironment: Sendable {
  package let variables: [String: String]

  package init(variables: [String: String]) { self.variables = variables }

  /// Returns the XDG base directories.
  /// - Throws: an error with exit code 78 if `HOME` is not an absolute path.
  package func folders() throws(CommandError) -> BaseDirectories {
    if let folders = BaseDirectories(environment: variables) { return folders }
    throw CommandError(.configuration, "HOME is not an absolute path; set it to your home directory")
  }

  /// Whether output can be coloured: standard output is a terminal with colours, and `NO_COLOR` is not set (no-color.org).
  package var showsColour: Bool {
    Terminal.outputIsTerminal && (variables["NO_COLOR"] ?? "").isEmpty && variables["TERM"] != "dumb"
  }

  /// Whether output can have hyperlinks.
  package var showsLinks: Bool { HyperlinkSupport.isKnown(variables, isTerminal: Terminal.outputIsTerminal) }

  /// The width of the output terminal: `COLUMNS`, otherwise the width that the terminal reports, otherwise 80. It is nil if standard
  /// output is not a terminal.
  package var outputColumns: Int? {
    guard Terminal.outputIsTerminal else { return nil }
    if let columns = variables["COLUMNS"].flatMap({ Int($0) }), (1...10_000).contains(columns) { return columns }
    return Terminal.outputColumns ?? 80
  }

  /// The current width and features of the output; the user can resize a terminal.
  package var terminalForm: TerminalForm {
    TerminalForm(columns: outputColumns.map(TerminalForm.textColumns), isColoured: showsColour, hasLinks: showsLinks)
  }
}

/// Detects terminals that support hyperlinks (OSC 8) by their environment variables. An unknown terminal is assumed not to support
/// hyperlinks, because it may print the escape sequences as text.
package enum HyperlinkSupport {
  /// Returns whether the terminal is known to support hyperlinks.
  /// - Parameter isTerminal: whether standard output is a terminal.
  static func isKnown(_ variables: [String: String], isTerminal: Bool) -> Bool {
    // As in other programs, 0 disables hyperlinks, and any other value enables them even if standard output is not a terminal.
    if let forced = variables["FORCE_HYPERLINK"], !forced.isEmpty { return forced != "0" }
    let kind = variables["TERM"] ?? ""
    guard isTerminal, !["", "dumb", "linux"].contains(kind) else { return false }
    // Inside tmux and screen, the variables of the outer terminal do not apply.
    if variables["TERM_PROGRAM"] == "tmux" { return isVersion(variables["TERM_PROGRAM_VERSION"], from: 3, 4) }
    if kind.hasPrefix("screen") || kind.hasPrefix("tmux") || variables["TMUX"] != nil || variables["STY"] != nil {
      return false
    }
    if kinds.contains(where: kind.hasPrefix) { return true }
    if names.contains(where: { variables[$0].map { !$0.isEmpty } ?? false }) { return true }
    // VTE 0.50.0 crashes on hyperlinks.
    if let vte = variables["VTE_VERSION"].flatMap({ Int($0) }), vte > 5000 { return true }
    switch variables["TERM_PROGRAM"] {
    case "iTerm.app": return isVersion(variables["TERM_PROGRAM_VERSION"], from: 3, 1)
    case "vscode": return isVersion(variables["TERM_PROGRAM_VERSION"], from: 1, 72)
    case "WezTerm", "ghostty", "rio", "mintty", "Tabby": return true
    default: return false
    }
  }

  /// Prefixes of `TERM` in terminals that support hyperlinks. These prefixes also work in remote sessions, because ssh passes `TERM` on.
  private static let kinds = ["xterm-kitty", "xterm-ghostty", "foot", "alacritty", "wezterm", "contour", "mintty"]
  /// Variables set only by terminals that support hyperlinks.
  private static let names = ["KITTY_WINDOW_ID", "WT_SESSION", "DOMTERM", "KONSOLE_VERSION", "ALACRITTY_WINDOW_ID"]

  private static func isVersion(_ text: String?, from major: Int, _ minor: Int) -> Bool {
    let numbers = (text ?? "").split(separator: ".").map { Int($0.prefix { ("0"..."9").contains($0) }) ?? 0 }
    guard let first = numbers.first else { return false }
    return first > major || first == major && numbers.count > 1 && numbers[1] >= minor
  }
}
