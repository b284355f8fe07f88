/// The words behind an entry's name, taken one after the other.
package struct BenchArguments {
  private var rest: ArraySlice<String>

  init(_ words: ArraySlice<String>) { rest = words }

  /// - Parameter name: what the word stands for, as the list of entries has it.
  package mutating func next(_ name: String) throws(BenchFailure) -> String {
    guard let word = rest.popFirst() else { throw .usage("\(name) is missing") }
    return word
  }

  /// The next word as a number from 1 on.
  package mutating func nextCount(_ name: String) throws(BenchFailure) -> Int {
    let word = try next(name)
    guard let number = Int(word), number > 0 else { throw .usage("\(name) is a number from 1 on, not \(word)") }
    return number
  }

  /// Whether there is no other word.
  package var isAtEnd: Bool { rest.isEmpty }

  /// To be called when an entry has all that it wants.
  package func end() throws(BenchFailure) {
    if let word = rest.first { throw .usage("\(word) is one argument too many") }
  }
}
