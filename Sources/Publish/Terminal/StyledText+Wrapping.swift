extension StyledText {
  /// The text in lines of so many columns at most: broken at spaces, which go, and between letters of scripts without spaces; a word
  /// that is longer than a line at its edge. No line begins with closing punctuation where that can be helped.
  /// - Parameter columns: at least 2. Without it the text is one line, as it is.
  func wrapped(to columns: Int?) -> [StyledText] {
    guard let columns, columns >= 2 else { return [self] }
    let cells = Cells(self)
    if cells.columns <= columns { return [self] }
    var lines: [StyledText] = []
    var start = 0
    while start < cells.count {
      let end = cells.end(ofLineFrom: start, columns: columns)
      lines.append(cells.text(start..<cells.withoutSpaces(before: end, from: start)))
      start = cells.afterSpaces(from: end)
    }
    return lines
  }

  /// The characters of a text, each with what has to be known of it to break lines.
  private struct Cells {
    private struct Cell {
      let character: Character
      let columns: Int
      let sort: BreakRules.Sort
      let run: Int
    }

    private let runs: [Run]
    private var cells: [Cell] = []
    /// Whether from here to the next space all is closing punctuation, which then stays with what is before the space.
    private var isTail: [Bool] = []
    private(set) var columns = 0

    init(_ text: StyledText) {
      runs = text.runs
      for (index, run) in runs.enumerated() {
        for character in run.text {
          let columns = CharacterColumns.of(character)
          self.columns += columns
          let sort = BreakRules.Sort(character, columns: columns)
          cells.append(Cell(character: character, columns: columns, sort: sort, run: index))
        }
      }
      isTail = Array(repeating: true, count: cells.count + 1)
      for index in cells.indices.reversed() {
        let isEnd = index + 1 == cells.count || cells[index + 1].sort.isSpace
        isTail[index] = cells[index].sort.closes && (isEnd || isTail[index + 1])
      }
    }

    var count: Int { cells.count }

    /// Where the line ends that begins here; at least one character is on it.
    func end(ofLineFrom start: Int, columns: Int) -> Int {
      var width = 0
      var chance: Int?
      // An indentation alone is no line.
      var hasText = false
      for index in start..<cells.count {
        if hasText, mayEnd(before: index) { chance = index }
        if !cells[index].sort.isSpace { hasText = true }
        width += cells[index].columns
        // Spaces at the end of a line may stand out: they go.
        if width > columns, !cells[index].sort.isSpace { return chance ?? max(index, start + 1) }
      }
      return cells.count
    }

    private func mayEnd(before index: Int) -> Bool {
      let (left, right) = (cells[index - 1].sort, cells[index].sort)
      // Spaces stay with what is before them.
      if right.isSpace { return false }
      return left.isSpace ? !isTail[index] : BreakRules.parts(left, right)
    }

    func withoutSpaces(before end: Int, from start: Int) -> Int {
      var end = end
      while end > start, cells[end - 1].sort.isSpace { end -= 1 }
      return end
    }

    func afterSpaces(from index: Int) -> Int { cells[index...].firstIndex { !$0.sort.isSpace } ?? cells.count }

    func text(_ range: Range<Int>) -> StyledText {
      var text = StyledText()
      var rest = range
      while let first = rest.first {
        let run = cells[first].run
        let end = rest.first { cells[$0].run != run } ?? rest.upperBound
        text.append(String(cells[first..<end].map(\.character)), runs[run].look, target: runs[run].target)
        rest = end..<rest.upperBound
      }
      return text
    }
  }
}

/// How many columns a character takes on a terminal: none, one or two.
///
/// Terminals agree neither with each other nor with one version of Unicode. Where they differ the larger number is taken: a line
/// that is a column too short is no harm, one that is too long is broken by the terminal where nobody wants it.
package enum CharacterColumns {
  package static func of(_ character: Character) -> Int {
    let scalars = character.unicodeScalars
    let first = scalars.first!
    // Most there is to count: one scalar, which needs no loop.
    if scalars.dropFirst().isEmpty { return of(first) }
    var sum = 0
    for scalar in scalars {
      // An emoji out of several, joined or with a colour of skin, is as wide as one. So is what asks to be shown as one.
      if scalar.value == 0xfe0f { return 2 }
      sum += of(scalar)
      if sum >= 2 { return 2 }
    }
    return sum
  }

  package static func of(_ text: some StringProtocol) -> Int { text.reduce(0) { $0 + of($1) } }

  /// As `wcwidth(3)` has it, but 0 for what it calls unprintable.
  static func of(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case 0x20..<0x7f: return 1
    case ..<0xa0: return 0
    // The soft hyphen is of category Cf, and shown.
    case 0xa0..<0x300: return 1
    // Vowels and final consonants of Hangul, which join the consonant before them.
    case 0x1160...0x11ff, 0xd7b0...0xd7ff: return 0
    // Signs that stand before or around numbers (Prepended_Concatenation_Mark): of category Cf too, and shown.
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

/// Scalars that take two columns: East_Asian_Width W or F (UAX #11), blocks kept for such letters included. Those that are wide
/// because they are emoji are told by their own property.
enum WideScalars {
  /// Sorted.
  private static let ranges: [ClosedRange<UInt32>] = [
    // Hangul consonants; brackets; radicals, and marks and letters of Chinese and Japanese.
    0x1100...0x115f, 0x2329...0x232a, 0x2630...0x2637, 0x268a...0x268f, 0x2e80...0x303e, 0x3041...0x3247,
    0x3250...0x4dbf, 0x4dc0...0xa4cf, 0xa960...0xa97c, 0xac00...0xd7a3, 0xf900...0xfaff,
    // Vertical and wide forms.
    0xfe10...0xfe19, 0xfe30...0xfe6b, 0xff01...0xff60, 0xffe0...0xffe6,
    // Tangut, Khitan, Nüshu, old and small kana; numbers and signs of divination.
    0x16fe0...0x18dff, 0x1aff0...0x1b2fb, 0x1d300...0x1d376, 0x1f200...0x1f265,
    // The planes of ideographs.
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

/// Where a line may end, as far as posts need it: at spaces, and between the letters of scripts that have none (UAX #14, much
/// simplified).
enum BreakRules {
  /// A character as a line sees it.
  struct Sort: Sendable {
    let isSpace: Bool
    /// A letter or picture that may be parted from any other.
    let isWide: Bool
    /// May not begin a line.
    let closes: Bool
    /// May not end one.
    let opens: Bool

    init(_ character: Character, columns: Int) {
      let first = character.unicodeScalars.first!
      isSpace = BreakRules.isBreakingSpace(first)
      isWide = columns == 2
      closes = BreakRules.closes(first)
      opens = BreakRules.opens(first)
    }
  }

  /// Whether a line may end between these two, neither of which is a space.
  static func parts(_ left: Sort, _ right: Sort) -> Bool {
    (left.isWide || right.isWide) && !left.opens && !right.closes
  }

  /// The spaces that keep words together are none (U+00A0, U+2007, U+202F).
  private static func isBreakingSpace(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20, 0x1680, 0x2000...0x2006, 0x2008...0x200b, 0x205f, 0x3000: true
    default: false
    }
  }

  private static let closing: Set<Unicode.Scalar> = Set(
    "!%,.:;?°·…‥‰℃％、。，．：；？！・ー～〜々〻ゝゞヽヾ゛゜ぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶㇰㇱㇲㇳㇴㇵㇶㇷㇸㇹㇺㇻㇼㇽㇾㇿ".unicodeScalars)

  private static func closes(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .closePunctuation, .finalPunctuation: true
    default: closing.contains(scalar)
    }
  }

  private static func opens(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .openPunctuation, .initialPunctuation: true
    default: false
    }
  }
}
