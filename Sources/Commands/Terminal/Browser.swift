internal import Dispatch
package import Platform

/// The user's browser.
package struct Browser: Sendable {
  /// The path of the program.
  package let program: String
  private let arguments: [String]
  private let variables: [String: String]

  /// Finds the browser: the first of the colon-separated programs in `$BROWSER` that exists, with `%s` replaced by the address, or
  /// `xdg-open` if there is a display. Nil if there is none.
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

  /// Starts the browser and does not wait for it. Only an exit status other than 0 shows that it failed to open the page.
  /// - Parameter ended: Called on a background queue when the program exits, perhaps hours later, with its exit status, or with 128
  ///   plus the number of the signal that killed it.
  /// - Throws: `SystemError` if the program cannot be started.
  package func open(
    _ address: String, ended: @escaping @Sendable (Int32) -> Void = { _ in }
  ) throws(SystemError) {
    let hasPlaceholder = arguments.contains { $0.contains("%s") }
    let all = hasPlaceholder ? arguments.map { $0.replacing("%s", with: address) } : arguments + [address]
    let process = try Child.start(program, all, environment: variables)
    // A process that outlives it must reap it.
    DispatchQueue.global(qos: .utility).async { ended(Child.wait(for: process)) }
  }
}
