internal import CivilTime
internal import Timeline

/// Text with styles, independent of the capabilities of a terminal.
package struct StyledText: Sendable, Hashable {
  /// The available styles.
  package enum Style: Sendable, Hashable {
    case plain
    /// Names.
    case strong
    /// Details.
    case faint
    /// Links, mentions and topics.
    case accent
    /// Something that works.
    case good
    /// Something that may need attention.
    case warning
    /// Something that does not work.
    case bad
  }

  /// Text in one style, with or without a link.
  struct Run: Sendable, Hashable {
    var text: String
    var style: Style
    var target: LinkTarget?
    /// Whether a search matches the text.
    var isHighlighted: Bool
  }

  private(set) var runs: [Run] = []

  package init() {}

  package init(_ text: String, _ style: Style = .plain) { append(text, style) }

  init(_ text: String, _ style: Style = .plain, target: LinkTarget?) { append(text, style, target: target) }

  package mutating func append(_ text: some StringProtocol, _ style: Style = .plain) {
    append(text, style, target: nil)
  }

  mutating func append(
    _ text: some StringProtocol, _ style: Style = .plain, target: LinkTarget? = nil, isHighlighted: Bool = false
  ) {
    if text.isEmpty { return }
    if let last = runs.last, last.style == style, last.target == target, last.isHighlighted == isHighlighted {
      runs[runs.count - 1].text += text
    } else {
      runs.append(Run(text: String(text), style: style, target: target, isHighlighted: isHighlighted))
    }
  }

  package static func + (left: StyledText, right: StyledText) -> StyledText {
    var sum = left
    for run in right.runs { sum.append(run.text, run.style, target: run.target, isHighlighted: run.isHighlighted) }
    return sum
  }
}

extension StyledText {
  /// Returns the text with escape sequences that the terminal supports. Each style ends within its line.
  package func text(for form: TerminalForm) -> String {
    var text = ""
    for run in runs {
      var shown = run.text
      let parameters = [Self.parameter(of: run.style), run.isHighlighted ? Self.reverse : nil].compactMap { $0 }
      if form.isColoured, !parameters.isEmpty {
        shown = "\u{1b}[\(parameters.joined(separator: ";"))m\(shown)\u{1b}[0m"
      }
      if form.hasLinks, let target = run.target {
        shown = "\u{1b}]8;id=\(target.identity);\(target.text)\u{1b}\\\(shown)\u{1b}]8;;\u{1b}\\"
      }
      text += shown
    }
    return text
  }

  /// Exchanges the colours of the text and its background, which is visible on every background.
  private static let reverse = "7"

  private static func parameter(of style: Style) -> String? {
    switch style {
    case .plain: nil
    case .strong: "1"
    case .faint: "2"
    // Cyan is readable on light and dark backgrounds.
    case .accent: "36"
    case .good: "32"
    case .warning: "33"
    case .bad: "31"
    }
  }
}

/// The target of a link on a terminal: an `http` or `https` address in printable ASCII, which cannot end an escape sequence.
struct LinkTarget: Sendable, Hashable {
  /// VTE's limit. VTE ignores longer addresses.
  private static let longest = 2083

  let text: String

  init?(_ address: String) {
    guard let link = WebLink(address) else { return nil }
    let encoded = ByteReplacement.encoded(link.text, prefix: UInt8(ascii: "%"), uppercase: true) {
      (0x21...0x7e).contains($0)
    }
    guard encoded.utf8.count <= Self.longest else { return nil }
    text = encoded
  }

  /// An id that depends only on the address (FNV-1a). It lets a terminal recognise the parts of a wrapped link.
  var identity: String {
    var hash: UInt32 = 0x811c_9dc5
    for byte in text.utf8 { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
    return String(hash, radix: 16)
  }
}

/// The capabilities of the output. A file or a pipe gets plain lines.
package struct TerminalForm: Sendable, Hashable {
  /// The width to wrap text to; `nil` to leave lines unchanged.
  package var columns: Int?
  /// Whether ANSI colours are supported (ECMA-48 §8.3.117, SGR).
  package var isColoured: Bool
  /// Whether hyperlinks are supported (OSC 8).
  var hasLinks: Bool

  package init(columns: Int? = nil, isColoured: Bool = false, hasLinks: Bool = false) {
    self.columns = columns
    self.isColoured = isColoured
    self.hasLinks = hasLinks
  }

  /// Returns the text width for a terminal of this width: at least 20 and at most 100 columns, because longer lines are hard to read.
  package static func textColumns(ofTerminal width: Int) -> Int { min(max(width, 20), 100) }
}
