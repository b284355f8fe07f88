/// Text for a terminal whose lines end between words.
package enum TextFlow {
  /// The smallest width of the last column of a table. A narrower column continues on the left instead.
  private static let narrowest = 24

  /// Returns the text with each line that is wider than the terminal broken between words. A word wider than that, such as a path or an
  /// address, gets its own line, so that it can be copied. A command at the end of a sentence (`: homeline …`) is kept together if it fits
  /// on a line. A line for crontab(5) follows on its own line and is never broken.
  ///
  /// Continued lines are indented: below the last column of a table, and otherwise by two columns more than the line itself.
  /// - Parameter columns: the width of the terminal; nil to leave the text unchanged.
  package static func wrapped(_ text: String, to columns: Int?) -> String {
    guard let columns else { return text }
    // A character has at most as many columns as bytes. Most text is short.
    if text.utf8.count <= columns { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let (sentence, crontab) = crontabLine(in: line)
      let lines = lines(StyledText(String(sentence)), to: columns).map(\.plainText)
      return (lines + (crontab.map { [String($0)] } ?? [])).joined(separator: "\n")
    }.joined(separator: "\n")
  }

  /// Returns the line for crontab(5) at the end of a sentence, and the text before it.
  private static func crontabLine(in line: Substring) -> (sentence: Substring, crontab: Substring?) {
    guard let opening = line.firstRange(of: "crontab -e: ") else { return (line, nil) }
    return (line[..<line.index(before: opening.upperBound)], line[opening.upperBound...])
  }

  /// Returns the lines of a single line of text, each with its indentation.
  package static func lines(_ line: StyledText, to columns: Int?) -> [StyledText] {
    guard let columns, columns >= 2 else { return [line] }
    let text = line.plainText
    let indentation = min(indentation(of: text, columns), columns / 2)
    let margin = StyledText(String(repeating: " ", count: indentation))
    let lines = line.wrapped(to: columns, then: columns - indentation, keepsWords: true, together: command(in: text))
    return lines.enumerated().map { $0 == 0 ? $1 : margin + $1 }
  }

  private static func indentation(of line: String, _ columns: Int) -> Int {
    let characters = Array(line)
    let start = characters.firstIndex { $0 != " " } ?? 0
    var column: Int?
    for index in characters.indices.dropFirst(start + 2)
    where characters[index] != " " && characters[index - 1] == " " && characters[index - 2] == " " {
      column = index
    }
    guard let column else { return start + 2 }
    let width = TextColumns.of(String(characters[..<column]))
    return columns - width >= narrowest ? width : start + 4
  }

  /// The programs whose command lines a message can end with.
  private static let programs = ["homeline", "systemctl"]

  /// Returns where a command at the end of a sentence is, in characters.
  private static func command(in line: String) -> Range<Int>? {
    let characters = Array(line)
    for program in programs {
      let opening = Array(": \(program) ")
      guard characters.count > opening.count,
        let start = (0...(characters.count - opening.count)).last(where: {
          characters[$0..<$0 + opening.count].elementsEqual(opening)
        })
      else { continue }
      let begin = start + 2
      let end = characters.indices.dropFirst(begin).first { index in
        (characters[index] == " " && ";,.)".contains(characters[index - 1])) || characters[index] == ")"
      }
      return begin..<(end ?? characters.count)
    }
    return nil
  }
}
