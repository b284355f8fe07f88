internal import Glibc

/// The three standard streams.
///
/// Whatever comes from elsewhere is made visible here (`VisibleText`), so that no message has to think of it. Bytes are written as they
/// are: they are for documents whose writer has seen to that, for sequences of our own, and for a token.
package enum Terminal {
  package static var outputIsTerminal: Bool { isatty(1) == 1 }

  /// How wide the terminal is that standard error goes to; nil when it goes elsewhere, or the terminal does not say.
  package static var errorColumns: Int? { columns(of: 2) }

  /// The same of standard output.
  package static var outputColumns: Int? { columns(of: 1) }

  private static func columns(of number: Int32) -> Int? {
    var size = winsize()
    guard isatty(number) == 1, unsafe ioctl(number, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// Writes a text to standard output, at once and whole; nothing in it drives the terminal.
  /// - Throws: EPIPE when the reader has gone, ENOSPC when output goes to a full disk.
  package static func answer(_ text: String) throws(SystemError) {
    try write(Array(VisibleText.of(text).utf8), to: 1)
  }

  /// Writes bytes to standard output as they are, at once and whole.
  package static func answer(bytes: [UInt8]) throws(SystemError) { try write(bytes, to: 1) }

  /// Writes a line to standard error, with control characters escaped. A failure cannot be reported anywhere and is
  /// ignored.
  package static func say(_ line: String) { write(toStandardError: VisibleText.of(line) + "\n") }

  /// Writes to standard error as it is, escape sequences too, without an end of the line. Not for what comes from elsewhere.
  package static func draw(_ sequences: String) { write(toStandardError: sequences) }

  /// Writes to standard error in one step, as far as the kernel takes it in one.
  static func write(toStandardError text: String) { try? write(Array(text.utf8), to: 2) }

  private static func write(_ bytes: [UInt8], to number: Int32) throws(SystemError) {
    var done = 0
    while done < bytes.count {
      done += try check("write", number == 1 ? "standard output" : "standard error") {
        unsafe bytes.withUnsafeBytes { unsafe Glibc.write(number, $0.baseAddress! + done, $0.count - done) }
      }
    }
  }

  /// Makes a write to a reader that has gone (SIGPIPE), or beyond a limit on the size of files (SIGXFSZ, setrlimit(2)), an error
  /// like any other, instead of the program's end.
  package static func surviveFailedWrites() {
    for number in [SIGPIPE, SIGXFSZ] { _ = signal(number, SIG_IGN) }
  }
}
