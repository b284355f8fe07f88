internal import Commands

/// Checks whether a login can open a browser.
struct BrowserCheck: DiagnosticCheck {
  let name = "browser"

  func findings(in context: DiagnosticContext) -> [Finding] {
    if let browser = Browser(variables: context.variables) { return [.ok("\(path: browser.program)")] }
    return [
      .ok("there is none; a login prints the URL to open", next: "To name one: export BROWSER=PROGRAM")
    ]
  }
}
