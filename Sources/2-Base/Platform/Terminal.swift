internal import Glibc
package import TerminalText

/// The three standard streams.
///
/// A `String` may come from outside the program. It is written with its control characters escaped (`VisibleText`), and on a terminal it is
/// wrapped between words (`TextFlow`). Text with this program's own control sequences has another type, `RenderedText`.
package enum Terminal {
  package static var inputIsTerminal: Bool { isatty(0) == 1 }
  package static var outputIsTerminal: Bool { isatty(1) == 1 }
  package static var errorIsTerminal: Bool { isatty(2) == 1 }

  /// The width of the terminal on standard error; nil if that is not a terminal or does not report its width.
  package static var errorColumns: Int? { columns(of: 2) }

  /// Whether standard error is a terminal where text can be replaced.
  package static var errorIsRedrawable: Bool {
    errorColumns != nil && ProcessEnvironment.variable("TERM") != "dumb"
  }

  /// The width of the terminal on standard output; nil if that is not a terminal or does not report its width.
  package static var outputColumns: Int? { columns(of: 1) }

  private static func columns(of number: Int32) -> Int? {
    var size = winsize()
    guard isatty(number) == 1, unsafe ioctl(number, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// Writes text to standard output, completely and immediately.
  /// - Throws: EPIPE if the reader has closed the pipe, ENOSPC if the disk is full.
  package static func answer(_ text: String) throws(SystemError) { try answer(.plain(text)) }

  /// Writes output to standard output, completely and immediately.
  /// - Throws: as `answer(_: String)`.
  package static func answer(_ output: ProgramOutput) throws(SystemError) {
    try write(output.bytes(isTerminal: outputIsTerminal, columns: outputColumns), to: 1)
  }

  /// Writes a line to standard error. A failure is ignored, because it cannot be reported anywhere.
  package static func say(_ line: String) { write(toStandardError: line + "\n") }

  /// Writes a line to standard error without wrapping it, because it is copied as a whole, such as a command.
  package static func say(whole line: String) { draw(RenderedText(line + "\n")) }

  /// Writes text to standard error without adding a line feed.
  package static func draw(_ text: RenderedText) { try? write(text.bytes, to: 2) }

  /// Writes text to standard error, in a single step if the kernel accepts all of it at once.
  static func write(toStandardError text: String) {
    try? write(ProgramOutput.plain(text).bytes(isTerminal: errorIsTerminal, columns: errorColumns), to: 2)
  }

  private static func write(_ bytes: [UInt8], to number: Int32) throws(SystemError) {
    var done = 0
    while done < bytes.count {
      done += try check("write", number == 1 ? "standard output" : "standard error") {
        unsafe bytes.withUnsafeBytes { unsafe Glibc.write(number, $0.baseAddress! + done, $0.count - done) }
      }
    }
  }

  /// Ignores SIGPIPE and SIGXFSZ, so that a write to a closed pipe or beyond the file size limit (setrlimit(2)) fails with an
  /// ordinary error instead of ending the program.
  package static func surviveFailedWrites() {
    for number in [SIGPIPE, SIGXFSZ] { _ = signal(number, SIG_IGN) }
  }

  // Unsafe because it is written only before the handler is set, and read only by the handler.
  private nonisolated(unsafe) static var lastLine: StaticString = ""

  /// Prints a line on standard error if Ctrl-C, `kill` or a closed terminal ends this process. Call this at most once.
  package static func sayWhenInterrupted(_ line: StaticString) {
    unsafe lastLine = line
    for number in [SIGINT, SIGTERM, SIGHUP] {
      // The handler calls only functions that signal-safety(7) lists. The second signal ends the process once the handler returns.
      let former = signal(number) { number in
        let line = unsafe Terminal.lastLine
        _ = unsafe Glibc.write(STDERR_FILENO, line.utf8Start, line.utf8CodeUnitCount)
        _ = unsafe Glibc.write(STDERR_FILENO, "\n", 1)
        _ = signal(number, SIG_DFL)
        raise(number)
      }
      // A shell makes background commands ignore Ctrl-C, and nohup(1) makes commands ignore a closed terminal.
      if unsafe unsafeBitCast(former, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
        _ = signal(number, SIG_IGN)
      }
    }
  }
}
