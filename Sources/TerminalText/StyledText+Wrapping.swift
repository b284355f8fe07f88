extension StyledText {
  /// Returns the text in lines of at most the given number of columns. Lines are broken at spaces, which are removed, and between letters
  /// of scripts without spaces. No line begins with closing punctuation if this can be avoided. A link that is longer than a line is not
  /// broken, so that it can be copied; another word that is longer is broken at the edge.
  /// - Parameters:
  ///   - columns: at least 2; `nil` for a single line.
  ///   - then: the columns of all lines but the first, at least 2; nil for the same.
  ///   - keepsWords: whether no word is broken.
  ///   - together: characters among which no line is broken if they fit on a line.
  package func wrapped(
    to columns: Int?, then: Int? = nil, keepsWords: Bool = false, together: Range<Int>? = nil
  ) -> [StyledText] {
    guard let columns, columns >= 2 else { return [self] }
    if isNarrowASCII(columns) { return [self] }
    let cells = Cells(self, keepsWords: keepsWords, together: together, fitting: then ?? columns)
    if cells.columns <= columns { return [self] }
    var lines: [StyledText] = []
    var start = 0
    while start < cells.count {
      let end = cells.end(ofLineFrom: start, columns: start == 0 ? columns : then ?? columns)
      lines.append(cells.text(start..<cells.withoutSpaces(before: end, from: start)))
      start = cells.afterSpaces(from: end)
    }
    return lines
  }

  /// Returns whether the text consists of printable ASCII characters, each one column wide, and fits into a line. Most lines do, and they
  /// need not be divided into characters, which takes about 300 instructions for each.
  private func isNarrowASCII(_ columns: Int) -> Bool {
    var left = columns
    for run in runs {
      left -= run.text.utf8.count
      guard left >= 0, run.text.utf8.allSatisfy({ (0x20...0x7e).contains($0) }) else { return false }
    }
    return true
  }

  /// The characters of a text with their properties for line breaking.
  private struct Cells {
    private struct Cell {
      let character: Character
      let columns: Int
      let characterClass: BreakRules.CharacterClass
      let run: Int
    }

    private let runs: [Run]
    private let keepsWords: Bool
    /// The characters among which no line is broken.
    private var together: Range<Int>?
    private var cells: [Cell] = []
    /// Whether all characters from this one to the next space are closing punctuation. Such punctuation stays on the previous line.
    private var isClosingRun: [Bool] = []
    private(set) var columns = 0

    init(_ text: StyledText, keepsWords: Bool, together: Range<Int>?, fitting limit: Int) {
      runs = text.runs
      self.keepsWords = keepsWords
      for (index, run) in runs.enumerated() {
        for character in run.text {
          let columns = CharacterColumns.of(character)
          self.columns += columns
          let characterClass = BreakRules.CharacterClass(character, columns: columns)
          cells.append(Cell(character: character, columns: columns, characterClass: characterClass, run: index))
        }
      }
      isClosingRun = Array(repeating: true, count: cells.count + 1)
      for index in cells.indices.reversed() {
        let isEnd = index + 1 == cells.count || cells[index + 1].characterClass.isSpace
        isClosingRun[index] = cells[index].characterClass.closes && (isEnd || isClosingRun[index + 1])
      }
      let together = together?.clamped(to: cells.indices)
      if let together, cells[together].reduce(0, { $0 + $1.columns }) <= limit { self.together = together }
    }

    var count: Int { cells.count }

    /// Returns the end of the line that begins at an index. The line has at least one character.
    func end(ofLineFrom start: Int, columns: Int) -> Int {
      var width = 0
      var lastBreak: Int?
      // A line must contain more than indentation.
      var hasText = false
      for index in start..<cells.count {
        if hasText, mayEnd(before: index) {
          // The line consists of a word that is wider than it.
          if width > columns { return index }
          lastBreak = index
        }
        if !cells[index].characterClass.isSpace { hasText = true }
        width += cells[index].columns
        // Spaces beyond the edge are removed.
        guard width > columns, !cells[index].characterClass.isSpace else { continue }
        if let lastBreak { return lastBreak }
        if !keepsWords, !isOfLink(index) { return max(index, start + 1) }
      }
      return cells.count
    }

    /// Returns whether a character belongs to a link, or is punctuation directly after one.
    private func isOfLink(_ index: Int) -> Bool {
      if runs[cells[index].run].target != nil { return true }
      return index > 0 && cells[index].characterClass.closes && isOfLink(index - 1)
    }

    private func mayEnd(before index: Int) -> Bool {
      let (left, right) = (cells[index - 1].characterClass, cells[index].characterClass)
      // Spaces stay with the preceding word.
      if right.isSpace { return false }
      if let together, index > together.lowerBound, index < together.upperBound { return false }
      return left.isSpace ? !isClosingRun[index] : BreakRules.parts(left, right)
    }

    func withoutSpaces(before end: Int, from start: Int) -> Int {
      var end = end
      while end > start, cells[end - 1].characterClass.isSpace { end -= 1 }
      return end
    }

    func afterSpaces(from index: Int) -> Int {
      cells[index...].firstIndex { !$0.characterClass.isSpace } ?? cells.count
    }

    func text(_ range: Range<Int>) -> StyledText {
      var text = StyledText()
      var rest = range
      while let first = rest.first {
        let run = cells[first].run
        let end = rest.first { cells[$0].run != run } ?? rest.upperBound
        text.append(
          String(cells[first..<end].map(\.character)), runs[run].style, target: runs[run].target,
          isHighlighted: runs[run].isHighlighted)
        rest = end..<rest.upperBound
      }
      return text
    }
  }
}

/// The number of columns that a character occupies on a terminal: zero, one or two.
///
/// For some characters, terminals disagree. In such cases, the larger number is used: a line that is one column too short does no harm, but
/// the terminal would break a line that is too long.
package enum CharacterColumns {
  package static func of(_ character: Character) -> Int {
    let scalars = character.unicodeScalars
    let first = scalars.first!
    // Most characters are a single scalar, which needs no loop.
    if scalars.dropFirst().isEmpty { return of(first) }
    var sum = 0
    for scalar in scalars {
      // An emoji with a joiner or a skin tone is as wide as a single emoji, and so is a character in emoji presentation.
      if scalar.value == 0xfe0f { return 2 }
      sum += of(scalar)
      if sum >= 2 { return 2 }
    }
    return sum
  }

  /// Returns the same number as `wcwidth(3)`, but 0 for unprintable scalars.
  static func of(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case 0x20..<0x7f: return 1
    case ..<0xa0: return 0
    // The soft hyphen is of category Cf, but is visible.
    case 0xa0..<0x300: return 1
    // Hangul vowels and final consonants combine with the preceding consonant.
    case 0x1160...0x11ff, 0xd7b0...0xd7ff: return 0
    // Signs before or around numbers (Prepended_Concatenation_Mark) are of category Cf, but are visible.
    case 0x600...0x605, 0x6dd, 0x70f, 0x890...0x891, 0x8e2, 0x110bd, 0x110cd: return 1
    default: break
    }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control, .lineSeparator, .paragraphSeparator: return 0
    default: break
    }
    if WideScalars.contains(scalar.value) { return 2 }
    return scalar.properties.isEmojiPresentation ? 2 : 1
  }
}

/// Scalars that occupy two columns: East_Asian_Width W or F (UAX #11), including blocks reserved for such letters. Wide emoji are
/// recognised by a property of their own.
enum WideScalars {
  /// The ranges in ascending order.
  private static let ranges: [ClosedRange<UInt32>] = [
    // Hangul consonants; brackets; radicals, and marks and letters of Chinese and Japanese.
    0x1100...0x115f, 0x2329...0x232a, 0x2630...0x2637, 0x268a...0x268f, 0x2e80...0x303e, 0x3041...0x3247,
    0x3250...0x4dbf, 0x4dc0...0xa4cf, 0xa960...0xa97c, 0xac00...0xd7a3, 0xf900...0xfaff,
    // Vertical and wide forms.
    0xfe10...0xfe19, 0xfe30...0xfe6b, 0xff01...0xff60, 0xffe0...0xffe6,
    // Tangut, Khitan, Nüshu, old and small kana; numbers and signs of divination.
    0x16fe0...0x18dff, 0x1aff0...0x1b2fb, 0x1d300...0x1d376, 0x1f200...0x1f265,
    // The ideographic planes.
    0x20000...0x2fffd, 0x30000...0x3fffd,
  ]

  static func contains(_ value: UInt32) -> Bool {
    guard value >= 0x1100 else { return false }
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < value { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].contains(value)
  }
}

/// Rules for line breaks, a small part of UAX #14: lines break at spaces, and between letters in scripts without spaces.
enum BreakRules {
  /// The class of a character for line breaking.
  struct CharacterClass: Sendable {
    let isSpace: Bool
    /// A letter or picture with possible line breaks on both sides.
    let isWide: Bool
    /// A character that must not begin a line.
    let closes: Bool
    /// A character that must not end a line.
    let opens: Bool

    init(_ character: Character, columns: Int) {
      let first = character.unicodeScalars.first!
      isSpace = BreakRules.isBreakingSpace(first)
      isWide = columns == 2
      closes = BreakRules.closes(first)
      opens = BreakRules.opens(first)
    }
  }

  /// Returns whether a line may be broken between two characters, neither of which is a space.
  static func parts(_ left: CharacterClass, _ right: CharacterClass) -> Bool {
    (left.isWide || right.isWide) && !left.opens && !right.closes
  }

  /// Returns whether this is a space at which lines may be broken. They may not be broken at U+00A0, U+2007 and U+202F.
  private static func isBreakingSpace(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20, 0x1680, 0x2000...0x2006, 0x2008...0x200b, 0x205f, 0x3000: true
    default: false
    }
  }

  private static let closing: Set<Unicode.Scalar> = Set(
    "°·…‥‰℃％、。，．：；？！・ー～〜々〻ゝゞヽヾ゛゜ぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶㇰㇱㇲㇳㇴㇵㇶㇷㇸㇹㇺㇻㇼㇽㇾㇿ".unicodeScalars)

  private static func closes(_ scalar: Unicode.Scalar) -> Bool {
    // For ASCII, no Unicode property needs to be looked up.
    if scalar.isASCII {
      return switch scalar {
      case ")", "]", "}", "!", "%", ",", ".", ":", ";", "?": true
      default: false
      }
    }
    return switch scalar.properties.generalCategory {
    case .closePunctuation, .finalPunctuation: true
    default: closing.contains(scalar)
    }
  }

  private static func opens(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar == "(" || scalar == "[" || scalar == "{" }
    return switch scalar.properties.generalCategory {
    case .openPunctuation, .initialPunctuation: true
    default: false
    }
  }
}
