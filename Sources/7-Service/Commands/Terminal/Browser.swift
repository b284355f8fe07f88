package import Platform

/// The user's browser.
package struct Browser: Sendable {
  /// The program's path.
  package let program: String
  private let arguments: [String]
  private let variables: [String: String]

  /// Finds the browser: the first program in the colon-separated list `$BROWSER` that exists or, if none exists, `xdg-open` if there is a
  /// display. In `$BROWSER`, `%s` means the address. Returns nil if no browser is found.
  package init?(variables: [String: String]) {
    self.variables = variables
    let candidates = (variables["BROWSER"] ?? "").split(separator: ":").map { String($0) }
    let hasDisplay = ["DISPLAY", "WAYLAND_DISPLAY"].contains { variables[$0]?.isEmpty == false }
    for candidate in candidates + (hasDisplay ? ["xdg-open"] : []) {
      let parts = candidate.split(separator: " ").map { String($0) }
      guard let first = parts.first, let path = ProgramSearch.find(first, in: variables["PATH"] ?? "") else { continue }
      program = path
      arguments = Array(parts.dropFirst())
      return
    }
    return nil
  }

  /// Starts the browser and does not wait for it. If the browser later exits with a status other than 0, it may have failed to open the
  /// page.
  /// - Parameter ended: called on a background queue when the program exits, perhaps hours later. The closure receives the exit status, or
  ///   128 plus the number of the signal that killed the program.
  /// - Throws: `SystemError` if the program cannot be started.
  package func open(
    _ address: String, ended: @escaping @Sendable (Int32) -> Void = { _ in }
  ) throws(SystemError) {
    let hasPlaceholder = arguments.contains { $0.contains("%s") }
    let all = hasPlaceholder ? arguments.map { $0.replacing("%s", with: address) } : arguments + [address]
    let process = try Child.start(program, all, environment: variables)
    // The browser's exit status must be collected if this process outlives the browser.
    Child.whenEnded(process, ended)
  }
}
