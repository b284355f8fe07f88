import Testing

@testable import Commands

@Suite struct HyperlinkSupportTests {
  private func isKnown(_ variables: [String: String], isTerminal: Bool) -> Bool {
    HyperlinkSupport.isKnown({ variables[$0] }, isTerminal: isTerminal)
  }

  private static let capable: [[String: String]] = [
    ["TERM": "xterm-kitty"], ["TERM": "xterm-256color", "KITTY_WINDOW_ID": "1"],
    ["TERM": "xterm-256color", "VTE_VERSION": "7006"], ["TERM": "xterm-256color", "VTE_VERSION": "5001"],
    ["TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app", "TERM_PROGRAM_VERSION": "3.5.0"],
    ["TERM": "xterm-256color", "TERM_PROGRAM": "vscode", "TERM_PROGRAM_VERSION": "1.95.3"],
    ["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"], ["TERM": "xterm-256color", "WT_SESSION": "a-b"],
    ["TERM": "xterm-256color", "DOMTERM": "x"], ["TERM": "foot"], ["TERM": "alacritty"],
    ["TERM": "tmux-256color", "TERM_PROGRAM": "tmux", "TERM_PROGRAM_VERSION": "3.4"],
    ["TERM": "screen-256color", "TMUX": "x", "TERM_PROGRAM": "tmux", "TERM_PROGRAM_VERSION": "4.0"],
  ]

  @Test("Text is hyperlinked on terminals that support hyperlinks", arguments: capable)
  func known(variables: [String: String]) {
    #expect(isKnown(variables, isTerminal: true))
    #expect(!isKnown(variables, isTerminal: false))
    #expect(
      isKnown(variables.merging(["NO_COLOR": "1"]) { $1 }, isTerminal: true), "NO_COLOR does not turn hyperlinks off")
    #expect(!isKnown(variables.merging(["FORCE_HYPERLINK": "0"]) { $1 }, isTerminal: true))
  }

  private static let incapable: [[String: String]] = [
    [:], ["TERM": "xterm"], ["TERM": "xterm-256color"], ["TERM": "dumb", "VTE_VERSION": "7006"],
    ["TERM": "linux", "WT_SESSION": "x"], ["TERM": "screen", "VTE_VERSION": "7006"],
    ["TERM": "screen.xterm-256color", "KITTY_WINDOW_ID": "1"], ["TERM": "xterm", "STY": "1", "VTE_VERSION": "7006"],
    ["TERM": "tmux-256color", "TERM_PROGRAM": "tmux", "TERM_PROGRAM_VERSION": "3.3a"],
    ["TERM": "xterm", "VTE_VERSION": "5000"], ["TERM": "xterm", "VTE_VERSION": "new"],
    ["TERM": "xterm", "TERM_PROGRAM": "iTerm.app", "TERM_PROGRAM_VERSION": "3.0.9"],
    ["TERM": "xterm", "TERM_PROGRAM": "Apple_Terminal"], ["WT_SESSION": "x"],
  ]

  @Test(
    "Text is not hyperlinked if the terminal is not known to support hyperlinks, or inside a terminal multiplexer",
    arguments: incapable)
  func unknown(variables: [String: String]) {
    #expect(!isKnown(variables, isTerminal: true))
    #expect(isKnown(variables.merging(["FORCE_HYPERLINK": "1"]) { $1 }, isTerminal: false))
  }
}
