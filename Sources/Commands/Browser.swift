internal import Dispatch
package import Platform

/// The user's browser, as far as this machine has one that could show a page.
package struct Browser: Sendable {
  private let program: String
  private let arguments: [String]
  private let variables: [String: String]

  /// `$BROWSER` (the first of its colon-separated programs that can be found; `%s` in it stands for the address), or
  /// `xdg-open` where a display is there for it to use.
  package init?(variables: [String: String]) {
    self.variables = variables
    let candidates = (variables["BROWSER"] ?? "").split(separator: ":").map { String($0) }
    let hasDisplay = ["DISPLAY", "WAYLAND_DISPLAY"].contains { variables[$0]?.isEmpty == false }
    for candidate in candidates + (hasDisplay ? ["xdg-open"] : []) {
      let words = candidate.split(separator: " ").map { String($0) }
      guard let first = words.first, let path = ProgramSearch.find(first, in: variables["PATH"] ?? "") else { continue }
      program = path
      arguments = Array(words.dropFirst())
      return
    }
    return nil
  }

  /// Starts it and does not wait. Whether it then shows the page nobody can tell.
  package func open(_ address: String) throws(SystemError) {
    let takesPlace = arguments.contains { $0.contains("%s") }
    let all = takesPlace ? arguments.map { $0.replacing("%s", with: address) } : arguments + [address]
    let process = try Child.start(program, all, environment: variables)
    // A browser may run for hours; whoever outlives it must not leave it a zombie.
    DispatchQueue.global(qos: .background).async { Child.wait(for: process) }
  }
}
