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
