/// A post's text that begins with a content warning: `CW: ` and the warning, an empty line, and the rest. Posts are stored and published in
/// this form.
package struct WarnedText: Sendable, Hashable {
  package let warning: String
  /// The text below the warning; empty if the warning covers only media.
  package let rest: String

  private static let mark = "CW: "
  private static let separator = "\n\n"

  package init(warning: String, rest: String) {
    self.warning = warning
    self.rest = rest
  }

  /// Finds the content warning in a text; `nil` if the text begins differently.
  package init?(_ text: String) {
    guard text.utf8.starts(with: Self.mark.utf8) else { return nil }
    // Text is divided at bytes, because a combining mark after a line feed would belong to the line feed's character.
    let marked = text.utf8.dropFirst(Self.mark.utf8.count)
    let lineFeed = UInt8(ascii: "\n")
    let end = marked.indices.first { marked[$0...].prefix(2).elementsEqual([lineFeed, lineFeed]) }
    warning = String(Substring(marked[..<(end ?? marked.endIndex)]))
    rest = end.map { String(Substring(marked[$0...].dropFirst(2))) } ?? ""
    guard warning.contains(where: { !$0.isWhitespace }) else { return nil }
  }

  package var text: String { Self.mark + warning + (rest.isEmpty ? "" : Self.separator + rest) }
}
