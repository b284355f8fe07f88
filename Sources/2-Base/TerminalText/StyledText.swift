/// Text with styles, independent of the capabilities of a terminal.
package struct StyledText: Sendable, Hashable {
  /// The available styles.
  package enum Style: Sendable, Hashable {
    case plain
    /// Names.
    case strong
    /// Details.
    case faint
    /// Links, mentions and hashtags.
    case accent
    /// Something that works.
    case good
    /// Something that may need attention.
    case warning
    /// Something that does not work.
    case bad
  }

  /// Text in one style, with or without a link.
  package struct Run: Sendable, Hashable {
    package var text: String
    package var style: Style
    package var target: LinkTarget?
    /// Whether a search matches the text.
    package var isHighlighted: Bool
  }

  package private(set) var runs: [Run] = []

  package init() {}

  package init(_ text: String, _ style: Style = .plain) { append(text, style) }

  package init(_ text: String, _ style: Style = .plain, target: LinkTarget?) { append(text, style, target: target) }

  package mutating func append(_ text: some StringProtocol, _ style: Style = .plain) {
    append(text, style, target: nil)
  }

  package mutating func append(
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
  /// The text without styles.
  package var plainText: String { runs.map(\.text).joined() }

  /// Returns the text with the styles and links that the terminal supports. Each style ends within its line.
  package func rendered(for form: TerminalForm) -> RenderedText {
    var text = RenderedText()
    for run in runs {
      let parameters = [Self.parameter(of: run.style), run.isHighlighted ? Self.reverse : nil].compactMap { $0 }
      let link = form.hasLinks ? run.target : nil
      let isStyled = form.isColoured && !parameters.isEmpty
      if let link { text.append(ControlSequence.link(link)) }
      if isStyled { text.append(ControlSequence.rendition(parameters)) }
      text.append(run.text)
      if isStyled { text.append(ControlSequence.rendition([])) }
      if link != nil { text.append(ControlSequence.endOfLink) }
    }
    return text
  }

  /// Exchanges the colours of the text and its background. This is visible on every background.
  private static let reverse = 7

  private static func parameter(of style: Style) -> Int? {
    switch style {
    case .plain: nil
    case .strong: 1
    case .faint: 2
    // Cyan is readable on light and dark backgrounds.
    case .accent: 36
    case .good: 32
    case .warning: 33
    case .bad: 31
    }
  }
}
