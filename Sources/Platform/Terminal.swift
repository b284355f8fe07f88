internal import Glibc

/// The three standard streams.
///
/// Text from outside the program is made visible here (`VisibleText`), so that individual messages need not do this. Bytes are written
/// unchanged: they are meant for documents that are already safe, for this program's own control sequences, and for a token.
package enum Terminal {
  package static var inputIsTerminal: Bool { isatty(0) == 1 }
  package static var outputIsTerminal: Bool { isatty(1) == 1 }
  package static var errorIsTerminal: Bool { isatty(2) == 1 }

  /// The width of the terminal to which standard error is connected; nil if it is not a terminal or does not report its width.
  package static var errorColumns: Int? { columns(of: 2) }

  /// The same for standard output.
  package static var outputColumns: Int? { columns(of: 1) }

  private static func columns(of number: Int32) -> Int? {
    var size = winsize()
    guard isatty(number) == 1, unsafe ioctl(number, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// Writes a complete text to standard output at once; nothing in it can control the terminal.
  /// - Throws: EPIPE if the reader has gone, ENOSPC if the output goes to a full disk.
  package static func answer(_ text: String) throws(SystemError) {
    try write(Array(VisibleText.of(text).utf8), to: 1)
  }

  /// Writes bytes to standard output unchanged, completely and at once.
  package static func answer(bytes: [UInt8]) throws(SystemError) { try write(bytes, to: 1) }

  /// Writes a line to standard error, with control characters escaped. A failure cannot be reported anywhere and is
  /// ignored.
  package static func say(_ line: String) { write(toStandardError: VisibleText.of(line) + "\n") }

  /// Writes to standard error unchanged, including escape sequences, without a line ending. Not for text from outside the program.
  package static func draw(_ sequences: String) { write(toStandardError: sequences) }

  /// Writes to standard error, in a single step if the kernel accepts everything at once.
  static func write(toStandardError text: String) { try? write(Array(text.utf8), to: 2) }

  private static func write(_ bytes: [UInt8], to number: Int32) throws(SystemError) {
    var done = 0
    while done < bytes.count {
      done += try check("write", number == 1 ? "standard output" : "standard error") {
        unsafe bytes.withUnsafeBytes { unsafe Glibc.write(number, $0.baseAddress! + done, $0.count - done) }
      }
    }
  }

  /// Makes a write to a reader that has gone (SIGPIPE), or beyond a file size limit (SIGXFSZ, setrlimit(2)), fail with an
  /// ordinary error instead of ending the program.
  package static func surviveFailedWrites() {
    for number in [SIGPIPE, SIGXFSZ] { _ = signal(number, SIG_IGN) }
  }
}
