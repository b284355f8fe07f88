package import JSON

/// A problem in a configuration, and its position.
package struct SettingsProblem: Sendable, Hashable, CustomStringConvertible {
  /// The file; `nil` for text that is not from a file.
  package let file: String?
  package let position: JSONPosition
  /// The keys that lead to the problem, such as `accounts.bird.refresh_seconds`; empty if the text is not JSON.
  package let path: String
  /// The description of the problem. For an unknown key, it suggests the most similar known key. It never contains a secret.
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

/// Finds the name that was probably meant.
enum NearestName {
  /// Returns the candidate with the fewest edits, if they are few enough for a typing error: a third of the letters. If several candidates
  /// are equally similar, returns the first one.
  static func of(_ name: String, among candidates: [String]) -> String? {
    let name = Array(name.utf8)
    // A name far longer than every candidate is similar to none, and the table would be large.
    guard name.count <= 64 else { return nil }
    let limit = name.count / 3
    let nearest = candidates.map { ($0, distance(name, Array($0.utf8))) }.min { $0.1 < $1.1 }
    guard let (candidate, distance) = nearest, distance <= limit else { return nil }
    return candidate
  }

  /// Returns the edit distance between two strings: the number of bytes to insert, delete, replace or swap with a neighbour (optimal string
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
