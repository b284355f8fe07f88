internal import Commands
internal import Platform
internal import TerminalText

/// The program that shows long output on a terminal.
struct Pager {
  /// The command for sh(1), as in `PAGER` (POSIX, man(1)).
  private let command: String
  private let variables: [String: String]

  /// The characters that have a meaning for sh(1), other than spaces.
  private static let special = Set("|&;<>()$`\\\"'*?[]{}#~=%!\n")
  /// The exit statuses that sh(1) reports if it could not run a program.
  private static let notRun: Set<Int32> = [126, 127]

  /// - Returns: nil if no pager is needed: the output does not go to a terminal, the terminal cannot move its cursor, `PAGER` is empty or
  ///   `cat`, or there is no `PAGER` and less(1) is not installed.
  init?(environment: CommandEnvironment) {
    guard Terminal.outputIsTerminal, !["", "dumb"].contains(environment["TERM"] ?? "") else { return nil }
    if let chosen = environment["PAGER"] {
      if ["", "cat"].contains(chosen) { return nil }
      command = chosen
    } else {
      guard ProgramSearch.find("less", in: environment["PATH"] ?? "") != nil else { return nil }
      command = "less -FRX"
    }
    // A less(1) in PAGER needs these options to show colours, and to exit after short text. The output is UTF-8 in every locale.
    variables = environment.variables.merging(["LESS": "FRX", "LESSCHARSET": "utf-8"]) { own, _ in own }
  }

  /// Shows text and waits until the user quits the pager.
  /// - Returns: whether the pager ran. Otherwise, a message has been printed.
  func show(_ text: ProgramOutput) -> Bool {
    do throws(SystemError) {
      // A program that is started directly gets the signals meant for it.
      var parts = command.split(separator: " ").map(String.init)
      if parts.isEmpty || command.contains(where: Self.special.contains) { parts = ["/bin/sh", "-c", command] }
      let bytes = text.bytes(isTerminal: true, columns: Terminal.outputColumns)
      let status = try Child.runInForeground(parts[0], Array(parts.dropFirst()), environment: variables, input: bytes)
      if !Self.notRun.contains(status) { return true }
      Terminal.say("homeline: the pager was not started: \(command)")
    } catch { Terminal.say("homeline: the pager was not started: \(error)") }
    return false
  }
}
