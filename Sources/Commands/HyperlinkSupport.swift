/// Whether a terminal knows hyperlinks (OSC 8), as far as its variables tell. One that does not may show their addresses as rubbish,
/// so only those that are known to are taken.
package enum HyperlinkSupport {
  /// - Parameter isTerminal: whether output goes to a terminal.
  package static func isKnown(_ variables: [String: String], isTerminal: Bool) -> Bool {
    // As many programs take it: 0 for no and anything else for yes, wherever output goes.
    if let forced = variables["FORCE_HYPERLINK"], !forced.isEmpty { return forced != "0" }
    let kind = variables["TERM"] ?? ""
    guard isTerminal, !["", "dumb", "linux"].contains(kind) else { return false }
    // Inside tmux and screen the variables of the terminal around them say nothing.
    if variables["TERM_PROGRAM"] == "tmux" { return isVersion(variables["TERM_PROGRAM_VERSION"], from: 3, 4) }
    if kind.hasPrefix("screen") || kind.hasPrefix("tmux") || variables["TMUX"] != nil || variables["STY"] != nil {
      return false
    }
    if kinds.contains(where: kind.hasPrefix) { return true }
    if names.contains(where: { variables[$0].map { !$0.isEmpty } ?? false }) { return true }
    // 0.50.0 crashes on them.
    if let vte = variables["VTE_VERSION"].flatMap({ Int($0) }), vte > 5000 { return true }
    switch variables["TERM_PROGRAM"] {
    case "iTerm.app": return isVersion(variables["TERM_PROGRAM_VERSION"], from: 3, 1)
    case "vscode": return isVersion(variables["TERM_PROGRAM_VERSION"], from: 1, 72)
    case "WezTerm", "ghostty", "rio", "mintty", "Tabby": return true
    default: return false
    }
  }

  /// Terminals that have a `TERM` of their own, which also comes through ssh.
  private static let kinds = ["xterm-kitty", "xterm-ghostty", "foot", "alacritty", "wezterm", "contour", "mintty"]
  private static let names = ["KITTY_WINDOW_ID", "WT_SESSION", "DOMTERM", "KONSOLE_VERSION", "ALACRITTY_WINDOW_ID"]

  private static func isVersion(_ text: String?, from major: Int, _ minor: Int) -> Bool {
    let numbers = (text ?? "").split(separator: ".").map { Int($0.prefix { ("0"..."9").contains($0) }) ?? 0 }
    guard let first = numbers.first else { return false }
    return first > major || first == major && numbers.count > 1 && numbers[1] >= minor
  }
}
