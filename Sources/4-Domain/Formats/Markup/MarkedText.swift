internal import HTTP
internal import TerminalText

/// Text with some of its characters marked.
struct MarkedText: Sendable, Hashable {
  let text: String
  /// For each Unicode scalar of the text, whether it is marked; empty if no scalar is marked.
  let marks: [Bool]

  /// Returns whether any scalar in a range is marked.
  func isMarked(_ range: Range<Int>) -> Bool { !marks.isEmpty && marks[range].contains(true) }
}

extension SafeText {
  /// Returns the same lines as `lines(of:)`, marking the characters in these scalar ranges of the text.
  static func lines(of text: String, marking ranges: [Range<Int>]) -> [MarkedText] {
    if ranges.isEmpty { return lines(of: text).map { MarkedText(text: $0, marks: []) } }
    let (scalars, marks) = markedScalars(of: text, ranges)
    if scalars.isEmpty { return [] }
    let ends = scalars.indices.filter { scalars[$0] == "\n" } + [scalars.count]
    var start = 0
    return ends.map { end in
      defer { start = end + 1 }
      return MarkedText(text: string(scalars[start..<end]), marks: Array(marks[start..<end]))
    }
  }

  /// Returns the same line as `line(of:)`, marking the characters in these scalar ranges of the text.
  static func line(of text: String, marking ranges: [Range<Int>]) -> MarkedText {
    if ranges.isEmpty { return MarkedText(text: line(of: text), marks: []) }
    let (scalars, marks) = markedScalars(of: text, ranges)
    return MarkedText(text: string(scalars.map { $0 == "\n" ? " " : $0 }[...]), marks: marks)
  }

  private static func markedScalars(of text: String, _ ranges: [Range<Int>]) -> ([Unicode.Scalar], marks: [Bool]) {
    var isMarked = [Bool](repeating: false, count: text.unicodeScalars.count)
    for range in ranges { for index in range.clamped(to: isMarked.indices) { isMarked[index] = true } }
    var origins: [Int] = []
    let scalars = Array(cleaned(text) { origins.append($0) }.unicodeScalars)
    // Text that needs no cleaning is returned as it is.
    return (scalars, origins.isEmpty ? isMarked : origins.map { isMarked[$0] })
  }

  private static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }
}

extension StyledText {
  /// Returns the text with the marked characters highlighted. A character is a grapheme cluster, which a terminal shows as a whole.
  func highlighting(_ marked: MarkedText) -> StyledText {
    if marked.marks.isEmpty { return self }
    var text = StyledText()
    var index = 0
    for run in runs {
      for character in run.text {
        let end = index + character.unicodeScalars.count
        text.append(
          String(character), run.style, target: run.target, isHighlighted: marked.isMarked(index..<end))
        index = end
      }
    }
    return text
  }
}

/// Escapes the pieces of a line, from its beginning on, and puts the marked characters into `mark` elements.
struct LineMarker {
  let line: MarkedText
  /// The number of scalars before the next piece.
  private var position = 0

  init(_ line: MarkedText) { self.line = line }

  /// Returns the next piece. A character is a grapheme cluster, which is marked as a whole.
  mutating func next(_ piece: String) -> Markup {
    var html = Markup()
    var run = ""
    var isMarked = false
    func closed() -> Markup { run.isEmpty ? "" : isMarked ? "<mark>\(run)</mark>" : "\(run)" }
    for character in piece {
      let end = position + character.unicodeScalars.count
      if line.isMarked(position..<end) != isMarked {
        html += closed()
        run = ""
        isMarked.toggle()
      }
      run.append(character)
      position = end
    }
    return html + closed()
  }
}
