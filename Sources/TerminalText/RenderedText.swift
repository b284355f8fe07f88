/// Text in its final form for a terminal, with this program's own control sequences.
///
/// A string enters it only with its control characters escaped (`VisibleText`), and a control sequence only as a `ControlSequence`. So it
/// contains no control sequence from outside the program. It cannot be turned back into a `String`, and so it never reaches a function
/// that escapes strings.
package struct RenderedText: Sendable, Hashable {
  /// The text in UTF-8.
  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// - Parameter text: any text. Its control characters are escaped.
  package init(_ text: String) { append(text) }

  package mutating func append(_ text: String) { bytes += VisibleText.of(text).utf8 }

  package mutating func append(_ sequence: ControlSequence) { bytes += sequence.text.utf8 }

  package mutating func append(_ other: RenderedText) { bytes += other.bytes }

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
    for (index, text) in enumerated() {
      if index > 0 { joined.append(separator) }
      joined.append(text)
    }
    return joined
  }
}

/// The control sequences that this program sends to a terminal.
package enum ControlSequence: Sendable, Hashable {
  /// Sets the style of the text after it; no parameters mean the default (ECMA-48 §8.3.117, SGR).
  case rendition([Int])
  /// Begins a hyperlink (OSC 8).
  case link(LinkTarget)
  /// Ends a hyperlink.
  case endOfLink
  /// Returns to the first column and clears the line (ECMA-48 §8.3.41, EL).
  case clearedLine

  fileprivate var text: String {
    switch self {
    case .rendition(let parameters):
      "\u{1b}[\(parameters.isEmpty ? "0" : parameters.map(String.init).joined(separator: ";"))m"
    case .link(let target): "\u{1b}]8;id=\(target.identity);\(target.text)\u{1b}\\"
    case .endOfLink: "\u{1b}]8;;\u{1b}\\"
    case .clearedLine: "\r\u{1b}[K"
    }
  }
}

/// The target of a link on a terminal: an address in printable ASCII, which cannot end an escape sequence.
package struct LinkTarget: Sendable, Hashable {
  /// VTE's limit. VTE ignores longer addresses.
  private static let longest = 2083

  package let text: String

  /// - Parameter encoded: an address in which all other characters are percent-encoded.
  /// - Returns: nil if the address is too long, or contains another character.
  package init?(encoded: String) {
    guard encoded.utf8.count <= Self.longest, encoded.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
      return nil
    }
    text = encoded
  }

  /// An id that depends only on the address (FNV-1a). It lets a terminal recognise the parts of a wrapped link.
  var identity: String {
    var hash: UInt32 = 0x811c_9dc5
    for byte in text.utf8 { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
    return String(hash, radix: 16)
  }
}
