package import JSON

/// A problem in a configuration, and its position.
package struct SettingsProblem: Sendable, Hashable, CustomStringConvertible {
  package let position: JSONPosition
  /// The keys that lead to it, such as `accounts.bird.refresh_seconds`; empty if the text is not JSON at all.
  let path: String
  /// The problem, with the nearest known key for an unknown one. Never a secret.
  let what: String

  init(position: JSONPosition, path: String, what: String) {
    self.position = position
    self.path = path
    self.what = what
  }

  /// `LINE:COLUMN: PATH: what`, to be printed after the name of the file and a colon.
  package var description: String {
    "\(position.line):\(position.column): " + (path.isEmpty ? what : "\(path): \(what)")
  }
}

/// An invalid configuration: all its problems, in the order of the text.
package struct SettingsError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Never empty.
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
  private let cursor: JSONCursor
  private var found: [(offset: Int, problem: SettingsProblem)] = []

  init(in bytes: [UInt8]) { cursor = JSONCursor(bytes) }

  mutating func add(_ what: String, at offset: Int, path: String) {
    let position = cursor.position(of: offset)
    found.append((offset, SettingsProblem(position: position, path: path, what: what)))
  }

  /// A problem whose line and column are known; reading stops there.
  mutating func add(_ error: JSONError) {
    found.append((.max, SettingsProblem(position: error.position, path: "", what: error.reason)))
  }

  func position(of offset: Int) -> JSONPosition { cursor.position(of: offset) }

  var isEmpty: Bool { found.isEmpty }

  /// In the order of the text.
  var sorted: [SettingsProblem] {
    // Problems at the same position keep the order in which they were found.
    found.enumerated().sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }
      .map(\.element.problem)
  }
}

/// Makes external text safe to show in a message on a terminal.
package enum DisplayText {
  /// The text without control characters, which could control the terminal, truncated after 64 characters.
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

  /// The same in quotation marks.
  package static func quoted(_ text: String) -> String { "\"\(plain(text))\"" }

  /// `; did you mean NAME?` if one of the candidates is similar, otherwise nothing.
  package static func suggestion(for name: String, among candidates: [String]) -> String {
    NearestName.of(name, among: candidates).map { "; did you mean \($0)?" } ?? ""
  }
}

/// Finds the name that was probably intended.
enum NearestName {
  /// The candidate with the fewest edits, if these are few enough for a typing error: a third of the letters. If several are
  /// equally similar, the first one.
  static func of(_ name: String, among candidates: [String]) -> String? {
    let name = Array(name.utf8)
    // A name far longer than any candidate cannot be similar to one, and the table would be large.
    guard name.count <= 64 else { return nil }
    let limit = name.count / 3
    let nearest = candidates.map { ($0, distance(name, Array($0.utf8))) }.min { $0.1 < $1.1 }
    guard let (candidate, distance) = nearest, distance <= limit else { return nil }
    return candidate
  }

  /// The number of bytes to insert, delete, replace or swap with their neighbour (optimal string alignment).
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
