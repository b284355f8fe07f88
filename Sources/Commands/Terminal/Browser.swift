internal import Dispatch
package import Platform

/// The user's browser, as far as this machine has one that could show a page.
package struct Browser: Sendable {
  /// The program that is started: a path.
  package let program: String
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

  /// Starts it and does not wait. Whether it then shows the page nobody can tell, but if it ends with an error.
  /// - Parameter ended: called on a queue of its own with the program's exit status, or 128 and the number of the signal that ended it.
  ///   A browser may run for hours.
  package func open(
    _ address: String, ended: @escaping @Sendable (Int32) -> Void = { _ in }
  ) throws(SystemError) {
    let takesPlace = arguments.contains { $0.contains("%s") }
    let all = takesPlace ? arguments.map { $0.replacing("%s", with: address) } : arguments + [address]
    let process = try Child.start(program, all, environment: variables)
    // Whoever outlives it must not leave it a zombie.
    DispatchQueue.global(qos: .utility).async { ended(Child.wait(for: process)) }
  }
}
