internal import Glibc
internal import TerminalText

/// Reads a passphrase from the controlling terminal without showing it (`termios(3)`).
package enum PassphrasePrompt {
  /// The length limit in bytes.
  private static let limit = 1024

  /// The terminal's settings before the prompt; nil if no prompt is shown.
  private static let former = Locked<termios?>(nil)

  /// Asks on the terminal, even if the standard streams are redirected. Ctrl-C ends the process as usual.
  /// - Returns: the line without its line ending; nil if there is no terminal, or the user ended the input without a line.
  package static func ask(_ prompt: String) throws(SystemError) -> [UInt8]? {
    guard let terminal = try? Descriptor.open("/dev/tty", O_RDWR | O_NOCTTY) else { return nil }
    let number = terminal.number
    var settings = termios()
    try check("tcgetattr", "/dev/tty") { unsafe tcgetattr(number, &settings) }
    var silent = settings
    former.withLock { $0 = settings }
    // Signals are also turned off, because Ctrl-C would otherwise leave the terminal without echo.
    silent.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
    try check("tcsetattr", "/dev/tty") { unsafe tcsetattr(number, TCSAFLUSH, &silent) }
    // The prompt follows the change of settings, which discards keys typed before it and would have been shown.
    let line = Result { () throws(SystemError) in
      try terminal.write(RenderedText("\(prompt): ").bytes)
      return try readLine(number)
    }
    restoreTerminal()
    try terminal.write([UInt8(ascii: "\n")])
    switch try line.get() {
    case .line(let bytes): return bytes
    case .end: return nil
    case .interrupted:
      raise(SIGINT)
      return nil
    }
  }

  /// Restores the terminal's settings if another thread is showing a prompt. Call this before the process exits.
  package static func restoreTerminal() {
    former.withLock { settings in
      guard var former = settings, let terminal = try? Descriptor.open("/dev/tty", O_RDWR | O_NOCTTY) else { return }
      unsafe tcsetattr(terminal.number, TCSAFLUSH, &former)
      settings = nil
    }
  }

  private enum Input {
    case line([UInt8])
    case end
    case interrupted
  }

  /// Reads until the end of the line. Backspace removes a character, and Ctrl-U the whole line.
  private static func readLine(_ number: Int32) throws(SystemError) -> Input {
    var line: [UInt8] = []
    while true {
      var byte: UInt8 = 0
      let count = try check("read", "/dev/tty") { unsafe read(number, &byte, 1) }
      switch byte {
      case _ where count == 0: return line.isEmpty ? .end : .line(line)
      case 0x0a, 0x0d: return .line(line)
      case 0x03: return .interrupted
      case 0x04 where line.isEmpty: return .end
      case 0x15: line = []
      case 0x08, 0x7f:
        // Removes a UTF-8 character along with all of its continuation bytes.
        while let last = line.popLast(), last & 0xc0 == 0x80 {}
      default: if line.count < limit { line.append(byte) }
      }
    }
  }
}
