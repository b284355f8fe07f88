internal import Glibc
internal import Platform

/// A question to a user whose command may read its text from standard input, for example after `homeline` has passed on an editor's text.
enum TerminalAgreement {
  /// Asks a question on standard error, and reads the answer from standard input if that is a terminal, otherwise from the controlling terminal
  /// (tty(4)).
  /// - Returns: whether the user agrees; false if there is no terminal to ask on.
  static func asks(_ question: String) -> Bool {
    guard Terminal.errorIsTerminal else { return false }
    if Terminal.inputIsTerminal { return (try? Terminal.asksYes(question)) ?? false }
    // In a script, the output usually goes elsewhere. A background process would be stopped when it reads.
    guard Terminal.outputIsTerminal, let terminal = try? Descriptor.open("/dev/tty", O_RDONLY | O_NOCTTY),
      tcgetpgrp(terminal.number) == getpgrp()
    else { return false }
    let (input, former) = (STDIN_FILENO, dup(STDIN_FILENO))
    guard former >= 0, dup2(terminal.number, input) >= 0 else { return false }
    defer {
      dup2(former, input)
      close(former)
    }
    return (try? Terminal.asksYes(question)) ?? false
  }
}
