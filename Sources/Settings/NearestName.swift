/// Finds the name that was probably meant.
package enum NearestName {
  /// The candidate with the fewest edits, when there are few enough for a slip of the hand: a third of the letters. Of
  /// several equally near ones the first.
  package static func of(_ name: String, among candidates: [String]) -> String? {
    let name = Array(name.utf8)
    // A name far longer than any candidate cannot be near one, and the table would be large.
    guard name.count <= 64 else { return nil }
    let limit = name.count / 3
    let nearest = candidates.map { ($0, distance(name, Array($0.utf8))) }.min { $0.1 < $1.1 }
    guard let (candidate, distance) = nearest, distance <= limit else { return nil }
    return candidate
  }

  /// How many bytes have to be put in, taken out, replaced, or exchanged with their neighbour (optimal string alignment).
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
