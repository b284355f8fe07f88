/// Detects terminals that support hyperlinks (OSC 8) by their environment variables. An unknown terminal is assumed not to support
/// hyperlinks, because it may print the escape sequences as text.
package enum HyperlinkSupport {
  /// Returns whether the terminal is known to support hyperlinks.
  /// - Parameters:
  ///   - variable: returns the value of an environment variable; `nil` if it is missing.
  ///   - isTerminal: whether standard output is a terminal.
  static func isKnown(_ variable: (String) -> String?, isTerminal: Bool) -> Bool {
    // As in other programs, 0 disables hyperlinks, and any other value enables them even if standard output is not a terminal.
    if let forced = variable("FORCE_HYPERLINK"), !forced.isEmpty { return forced != "0" }
    let kind = variable("TERM") ?? ""
    guard isTerminal, !["", "dumb", "linux"].contains(kind) else { return false }
    // Inside tmux and screen, the variables of the outer terminal do not apply.
    if variable("TERM_PROGRAM") == "tmux" { return isVersion(variable("TERM_PROGRAM_VERSION"), from: 3, 4) }
    if kind.hasPrefix("screen") || kind.hasPrefix("tmux") || variable("TMUX") != nil || variable("STY") != nil {
      return false
    }
    if kinds.contains(where: kind.hasPrefix) { return true }
    if names.contains(where: { variable($0).map { !$0.isEmpty } ?? false }) { return true }
    // VTE 0.50.0 crashes on hyperlinks.
    if let vte = variable("VTE_VERSION").flatMap({ Int($0) }), vte > 5000 { return true }
    switch variable("TERM_PROGRAM") {
    case "iTerm.app": return isVersion(variable("TERM_PROGRAM_VERSION"), from: 3, 1)
    case "vscode": return isVersion(variable("TERM_PROGRAM_VERSION"), from: 1, 72)
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
