extension StyledText {
  /// Returns the text in lines of at most the given number of columns. Lines are broken at spaces, which are removed, and between letters
  /// of scripts without spaces. No line begins with closing punctuation if this can be avoided. A link that is longer than a line is kept
  /// whole, so that it can be copied; any other long word is broken at the edge.
  /// - Parameters:
  ///   - columns: at least 2; `nil` for a single line.
  ///   - then: the columns of all lines after the first, at least 2; nil if they equal `columns`.
  ///   - keepsWords: whether no word is broken.
  ///   - together: characters that are kept on one line if they fit.
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

  /// Returns whether the text consists of printable ASCII characters, each one column wide, and fits into a line. Most lines do. They need
  /// not be divided into characters, which takes about 300 instructions each.
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
          // The line consists of a single word that is too wide for it.
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
