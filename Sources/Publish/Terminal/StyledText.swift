internal import CivilTime
internal import Timeline

/// Text with its looks, before it is known what a terminal can show of them.
struct StyledText: Sendable, Hashable {
  /// The few looks that there are.
  enum Look: Sendable, Hashable {
    case plain
    /// Names.
    case strong
    /// Small print.
    case faint
    /// Links, mentions and topics.
    case calm
  }

  /// Text of one look that leads to one place, or to none.
  struct Run: Sendable, Hashable {
    var text: String
    var look: Look
    var target: LinkTarget?
  }

  private(set) var runs: [Run] = []

  init() {}

  init(_ text: String, _ look: Look = .plain, target: LinkTarget? = nil) { append(text, look, target: target) }

  mutating func append(_ text: some StringProtocol, _ look: Look = .plain, target: LinkTarget? = nil) {
    if text.isEmpty { return }
    if let last = runs.last, last.look == look, last.target == target {
      runs[runs.count - 1].text += text
    } else {
      runs.append(Run(text: String(text), look: look, target: target))
    }
  }

  static func + (left: StyledText, right: StyledText) -> StyledText {
    var sum = left
    for run in right.runs { sum.append(run.text, run.look, target: run.target) }
    return sum
  }
}

extension StyledText {
  /// The text with the escape sequences that the terminal knows; each that is opened is closed in the same line.
  func text(for form: TerminalForm) -> String {
    var text = ""
    for run in runs {
      var shown = run.text
      if form.isColoured, let parameter = Self.parameter(of: run.look) {
        shown = "\u{1b}[\(parameter)m\(shown)\u{1b}[0m"
      }
      if form.hasLinks, let target = run.target {
        shown = "\u{1b}]8;id=\(target.identity);\(target.text)\u{1b}\\\(shown)\u{1b}]8;;\u{1b}\\"
      }
      text += shown
    }
    return text
  }

  private static func parameter(of look: Look) -> String? {
    switch look {
    case .plain: nil
    case .strong: "1"
    case .faint: "2"
    // Cyan, which can be read on light and on dark.
    case .calm: "36"
    }
  }
}

/// Where a link on a terminal leads: an `http` or `https` address of visible ASCII, which can end no escape sequence.
struct LinkTarget: Sendable, Hashable {
  /// What VTE takes; longer ones are left out by it.
  private static let longest = 2083

  let text: String

  init?(_ address: String) {
    guard let link = WebLink(address) else { return nil }
    var encoded = ""
    for byte in link.text.utf8 {
      if (0x21...0x7e).contains(byte) {
        encoded.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        encoded += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    guard encoded.utf8.count <= Self.longest else { return nil }
    text = encoded
  }

  /// The same for the same address: by it a terminal knows the parts of a link that is broken over lines (FNV-1a).
  var identity: String {
    var hash: UInt32 = 0x811c_9dc5
    for byte in text.utf8 { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
    return String(hash, radix: 16)
  }
}

/// What may be written to where posts are shown. A file or a pipe gets bare lines.
package struct TerminalForm: Sendable, Hashable {
  /// In how many columns text is set; `nil` leaves lines as they are.
  package var columns: Int?
  /// ANSI colours (ECMA-48 §8.3.117, SGR).
  var isColoured: Bool
  /// Hyperlinks (OSC 8).
  var hasLinks: Bool

  package init(columns: Int? = nil, isColoured: Bool = false, hasLinks: Bool = false) {
    self.columns = columns
    self.isColoured = isColoured
    self.hasLinks = hasLinks
  }

  /// The columns of a text on a terminal of this width: 20 at least, and 100 at most, since longer lines are hard to read.
  package static func textColumns(ofTerminal width: Int) -> Int { min(max(width, 20), 100) }
}
