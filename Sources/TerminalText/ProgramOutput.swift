/// What a program writes to standard output. The kind decides how it is written to a terminal.
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
  ///   - columns: the terminal's width; nil if it is not known.
  package func bytes(isTerminal: Bool, columns: Int?) -> [UInt8] {
    switch self {
    case .plain(let text): Array(TextFlow.wrapped(VisibleText.of(text), to: columns).utf8)
    case .rendered(let text): text.bytes
    case .data(let data): isTerminal ? data.visibleBytes : data.bytes
    }
  }
}

/// Bytes of a format that other programs read. Files and pipes get them unchanged. On a terminal, control characters are escaped, even if
/// the format allows them.
package struct OutputData: Sendable, Hashable {
  package let bytes: [UInt8]

  /// - Parameter json: JSON, or lines of JSON.
  package init(json: [UInt8]) { bytes = json }

  /// - Parameter table: comma-separated values (RFC 4180).
  package init(table: [UInt8]) { bytes = table }

  /// - Parameter value: a value that is used as it is, such as a token or a path, with its line feed.
  package init(value: [UInt8]) { bytes = value }

  /// - Parameter script: a program, or lines for a program.
  package init(script: String) { bytes = Array(script.utf8) }

  fileprivate var visibleBytes: [UInt8] {
    // A terminal needs no carriage returns in the line endings of comma-separated values.
    let text = String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")
    return Array(VisibleText.of(text).utf8)
  }
}
