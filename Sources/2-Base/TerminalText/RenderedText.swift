/// Text in its final form for a terminal, with this program's own control sequences.
///
/// Strings enter it only with their control characters escaped (`VisibleText`), and control sequences only as a `ControlSequence`, so none
/// comes from outside the program. It cannot be turned back into a `String`, and therefore never reaches a function that escapes strings.
package struct RenderedText: Sendable, Hashable {
  /// The text in UTF-8.
  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// - Parameter text: any text. Its control characters are escaped.
  package init(_ text: String) { append(text) }

  package mutating func append(_ text: String) { bytes += VisibleText.of(text).utf8 }

  package mutating func append(_ sequence: ControlSequence) { bytes += sequence.text.utf8 }

  mutating func append(_ other: RenderedText) { bytes += other.bytes }

  package static func + (left: RenderedText, right: RenderedText) -> RenderedText {
    var sum = left
    sum.append(right)
    return sum
  }

  package var isEmpty: Bool { bytes.isEmpty }
}

extension Sequence<RenderedText> {
  package func joined(separator: String = "") -> RenderedText {
    var joined = RenderedText()
    var isFirst = true
    for text in self {
      if !isFirst { joined.append(separator) }
      isFirst = false
      joined.append(text)
    }
    return joined
  }
}
