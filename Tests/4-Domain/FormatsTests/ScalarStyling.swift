import TerminalText

@testable import Formats

/// The straightforward version of `PostStyling`, which walks the Unicode scalars of a line.
enum ScalarStyling {
  static func styled(_ line: String) -> StyledText {
    let scalars = Array(line.unicodeScalars)
    var styled = StyledText()
    var plainStart = 0
    var index = 0
    while index < scalars.count {
      guard let end = end(ofWordFrom: index, in: scalars) else {
        index += 1
        continue
      }
      let word = text(scalars[index..<end])
      styled.append(text(scalars[plainStart..<index]))
      styled.append(word, .accent, target: LinkTarget(word))
      plainStart = end
      index = end
    }
    styled.append(text(scalars[plainStart...]))
    return styled
  }

  private static func end(ofWordFrom start: Int, in scalars: [Unicode.Scalar]) -> Int? {
    switch scalars[start] {
    case "h", "H": ScalarAddress.end(ofAddressFrom: start, in: scalars)
    case "@", "＠": endOfMention(from: start, in: scalars)
    case "#", "＃": endOfTopic(from: start, in: scalars)
    default: nil
    }
  }

  /// Returns the end of `@name`, `@name@server.example`, or a name in other letters.
  private static func endOfMention(from start: Int, in scalars: [Unicode.Scalar]) -> Int? {
    guard start == 0 || !isOfWord(scalars[start - 1]) && scalars[start - 1] != "@" else { return nil }
    let rest = scalars[(start + 1)...]
    guard let first = rest.first, isOfWord(first) else { return nil }
    var name = rest.prefix { isOfWord($0) && $0.isASCII == first.isASCII || "-.@".unicodeScalars.contains($0) }
    while let last = name.last, !isOfWord(last) { name.removeLast() }
    return name.endIndex
  }

  /// Returns the end of `#topic`, which must be more than a number, or of `#topic#`.
  private static func endOfTopic(from start: Int, in scalars: [Unicode.Scalar]) -> Int? {
    guard start == 0 || !isOfWord(scalars[start - 1]) && scalars[start - 1] != "&" && scalars[start - 1] != "#"
    else { return nil }
    let topic = scalars[(start + 1)...].prefix(while: isOfWord)
    guard topic.contains(where: { $0.properties.numericType == nil }) else { return nil }
    let end = topic.endIndex
    return end < scalars.count && scalars[end] == scalars[start] ? end + 1 : end
  }

  private static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
      .letterNumber, .nonspacingMark, .spacingMark, .connectorPunctuation:
      true
    default: false
    }
  }

  private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }
}
