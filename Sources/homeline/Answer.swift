internal import Platform
internal import Commands

/// What a command has to say.
struct Answer {
  /// For standard output.
  let bytes: [UInt8]
  /// Lines for standard error.
  let notes: [String]
  let code: ExitCode

  /// - Parameter bytes: written as they are.
  init(bytes: [UInt8], notes: [String] = [], code: ExitCode = .done) {
    self.bytes = bytes
    self.notes = notes
    self.code = code
  }

  /// - Parameter text: in which nothing shall drive a terminal, whatever it quotes.
  init(_ text: String, notes: [String] = [], code: ExitCode = .done) {
    self.init(bytes: Array(VisibleText.of(text).utf8), notes: notes, code: code)
  }
}
