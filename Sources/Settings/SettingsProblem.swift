package import JSON

/// A problem in a configuration, and its position.
package struct SettingsProblem: Sendable, Hashable, CustomStringConvertible {
  /// The file; `nil` for a text that is not from a file.
  package let file: String?
  package let position: JSONPosition
  /// The keys that lead to the problem, such as `accounts.bird.refresh_seconds`; empty if the text is not JSON.
  package let path: String
  /// The description of the problem. For an unknown key, it contains the most similar known key. It never contains a secret.
  package let what: String

  init(file: String?, position: JSONPosition, path: String, what: String) {
    self.file = file
    self.position = position
    self.path = path
    self.what = what
  }

  /// `FILE:LINE:COLUMN: PATH: what`, which editors understand.
  package var description: String {
    (file.map { "\($0):" } ?? "") + "\(position.line):\(position.column): "
      + (path.isEmpty ? what : "\(path): \(what)")
  }
}

/// An invalid configuration: all its problems, in the order of the files.
package struct SettingsError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The problems; never empty.
  package let problems: [SettingsProblem]

  package init(problems: [SettingsProblem]) {
    precondition(!problems.isEmpty, "a configuration without a problem is not an error")
    self.problems = problems
  }

  /// One problem per line.
  package var description: String { problems.map(\.description).joined(separator: "\n") }
}

/// Collects the problems of a configuration while it is read, so that all are reported at once.
struct Problems {
  private var sources = SourceMap()
  private var found: [(offset: Int, problem: SettingsProblem)] = []

  /// Adds a file after the others.
  /// - Returns: the offset of its first byte.
  mutating func add(source text: ConfigurationText) -> Int { sources.add(text) }

  mutating func add(_ what: String, at offset: Int, path: String) {
    let place = place(of: offset)
    found.append((offset, SettingsProblem(file: place.file, position: place.position, path: path, what: what)))
  }

  /// Adds a problem whose line and column are known, where reading stops.
  /// - Parameter start: the offset of the first byte of the file.
  mutating func add(_ error: JSONError, inFileAt start: Int) {
    let problem = SettingsProblem(
      file: sources.source(at: start)?.text.path, position: error.position, path: "", what: error.reason)
    found.append((start, problem))
  }

  /// Returns the line and column of an offset, with its file unless the other offset is in the same file.
  func position(of offset: Int, seenFrom other: Int) -> String {
    let (place, otherPlace) = (place(of: offset), place(of: other))
    guard let file = place.file, file != otherPlace.file else { return "\(place.position)" }
    return "\(file):\(place.position.line):\(place.position.column)"
  }

  private func place(of offset: Int) -> (file: String?, position: JSONPosition) {
    guard let (text, start) = sources.source(at: offset) else { return (nil, JSONCursor([]).position(of: 0)) }
    return (text.path, JSONCursor(text.bytes).position(of: offset - start))
  }

  var isEmpty: Bool { found.isEmpty }

  /// The problems in the order of their positions in the files.
  var sorted: [SettingsProblem] {
    // Problems at the same position keep the order in which they were found.
    found.enumerated().sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }
      .map(\.element.problem)
  }
}

/// Makes external text safe to show in a message on a terminal.
package enum DisplayText {
  /// Returns the text, truncated after 64 characters, without the control characters that could manipulate the terminal.
  package static func plain(_ text: String) -> String {
    var shown = ""
    for (count, scalar) in text.unicodeScalars.enumerated() {
      if count == 64 { return shown + "…" }
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator:
        shown += "\\u{\(String(scalar.value, radix: 16))}"
      default: shown.unicodeScalars.append(scalar)
      }
    }
    return shown
  }

  /// Returns the text in this form, in quotation marks.
  package static func quoted(_ text: String) -> String { "\"\(plain(text))\"" }

  /// Returns `; did you mean NAME?` if one of the candidates is similar, and otherwise an empty string.
  package static func suggestion(for name: String, among candidates: [String]) -> String {
    NearestName.of(name, among: candidates).map { "; did you mean \($0)?" } ?? ""
  }
}

/// Finds the name that was probably meant.
enum NearestName {
  /// Returns the candidate with the fewest edits, if they are few enough for a typing error: a third of the letters. If several candidates
  /// are equally similar, returns the first one.
  static func of(_ name: String, among candidates: [String]) -> String? {
    let name = Array(name.utf8)
    // A name far longer than every candidate cannot be similar to any, and the table would be large.
    guard name.count <= 64 else { return nil }
    let limit = name.count / 3
    let nearest = candidates.map { ($0, distance(name, Array($0.utf8))) }.min { $0.1 < $1.1 }
    guard let (candidate, distance) = nearest, distance <= limit else { return nil }
    return candidate
  }

  /// Returns the edit distance of two texts: the number of bytes to insert, delete, replace or swap with a neighbour (optimal string
  /// alignment).
  static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for (row, byte) in left.enumerated() {
      var current = [row + 1]
      for (column, other) in right.enumerated() {
        var edits = min(last[column + 1] + 1, current[column] + 1, last[column] + (byte == other ? 0 : 1))
        if row > 0, column > 0, byte == right[column - 1], left[row - 1] == other {
          edits = min(edits, beforeLast[column - 1] + 1)
        }
        current.append(edits)
      }
      (beforeLast, last) = (last, current)
    }
    return last[right.count]
  }
}
