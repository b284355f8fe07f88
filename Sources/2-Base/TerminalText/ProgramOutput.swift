/// What a program writes to standard output. Its kind decides how it is written to a terminal.
package enum ProgramOutput: Sendable, Hashable {
  /// Text that may come from outside the program. Its control characters are escaped, and on a terminal it is wrapped between words.
  case plain(String)
  /// Text in its final form, which is written unchanged.
  case rendered(RenderedText)
  /// The bytes of a format that other programs read.
  case data(OutputData)

  package var isEmpty: Bool {
    switch self {
    case .plain(let text): text.isEmpty
    case .rendered(let text): text.isEmpty
    case .data(let data): data.bytes.isEmpty
    }
  }

  /// Returns the bytes to write.
  /// - Parameters:
  ///   - isTerminal: whether the output is a terminal.
  ///   - columns: the terminal's width; nil if it is unknown.
  package func bytes(isTerminal: Bool, columns: Int?) -> [UInt8] {
    switch self {
    case .plain(let text): Array(TextFlow.wrapped(VisibleText.of(text), to: columns).utf8)
    case .rendered(let text): text.bytes
    case .data(let data): isTerminal ? data.visibleBytes : data.bytes
    }
  }
}
