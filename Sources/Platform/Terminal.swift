internal import Glibc

/// The three standard streams.
///
/// Text is written with its control characters escaped (`VisibleText`), so that individual messages need not do this. Bytes are written
/// unchanged. Use them for documents that are already safe, this program's own control sequences, and tokens.
package enum Terminal {
  package static var inputIsTerminal: Bool { isatty(0) == 1 }
  package static var outputIsTerminal: Bool { isatty(1) == 1 }
  package static var errorIsTerminal: Bool { isatty(2) == 1 }

  /// The width of the terminal on standard error; nil if that is not a terminal or does not report its width.
  package static var errorColumns: Int? { columns(of: 2) }

  /// The width of the terminal on standard output; nil if that is not a terminal or does not report its width.
  package static var outputColumns: Int? { columns(of: 1) }

  private static func columns(of number: Int32) -> Int? {
    var size = winsize()
    guard isatty(number) == 1, unsafe ioctl(number, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// Writes all of the text to standard output at once, with control characters escaped.
  /// - Throws: EPIPE if the reader has closed the pipe, ENOSPC if the disk is full.
  package static func answer(_ text: String) throws(SystemError) {
    try write(Array(VisibleText.of(text).utf8), to: 1)
  }

  /// Writes bytes to standard output unchanged, completely and at once.
  package static func answer(bytes: [UInt8]) throws(SystemError) { try write(bytes, to: 1) }

  /// Writes a line to standard error, with control characters escaped. A failure cannot be reported anywhere and is
  /// ignored.
  package static func say(_ line: String) { write(toStandardError: VisibleText.of(line) + "\n") }

  /// Writes text to standard error unchanged, including escape sequences, without adding a line feed. Not for text from outside the
  /// program.
  package static func draw(_ sequences: String) { write(toStandardError: sequences) }

  /// Writes text to standard error, in a single step if the kernel accepts all of it at once.
  static func write(toStandardError text: String) { try? write(Array(text.utf8), to: 2) }

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

  /// Prints a line on standard error if Ctrl-C ends this process. Call this at most once.
  package static func sayWhenInterrupted(_ line: StaticString) {
    unsafe lastLine = line
    // The handler calls only functions that signal-safety(7) lists. The second signal ends the process once the handler returns.
    let former = signal(SIGINT) { number in
      let line = unsafe Terminal.lastLine
      _ = unsafe Glibc.write(STDERR_FILENO, line.utf8Start, line.utf8CodeUnitCount)
      _ = unsafe Glibc.write(STDERR_FILENO, "\n", 1)
      _ = signal(number, SIG_DFL)
      raise(number)
    }
    // A shell lets commands in the background ignore Ctrl-C.
    if unsafe unsafeBitCast(former, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
      _ = signal(SIGINT, SIG_IGN)
    }
  }
}
