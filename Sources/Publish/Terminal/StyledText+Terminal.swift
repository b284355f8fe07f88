extension StyledText {
  /// The text with the escape sequences that the terminal knows; each that is opened is closed in the same line.
  func text(for form: TerminalForm) -> String {
    var text = ""
    for run in runs {
      var shown = run.text
      if form.isColoured, let parameter = Self.parameter(of: run.look) {
        shown = "\u{1b}[\(parameter)m\(shown)\u{1b}[0m"
      }
      if form.hasLinks, let target = run.target {
        shown = "\u{1b}]8;id=\(target.identity);\(target.text)\u{1b}\\\(shown)\u{1b}]8;;\u{1b}\\"
      }
      text += shown
    }
    return text
  }

  private static func parameter(of look: Look) -> String? {
    switch look {
    case .plain: nil
    case .strong: "1"
    case .faint: "2"
    // Cyan, which can be read on light and on dark.
    case .calm: "36"
    }
  }
}
