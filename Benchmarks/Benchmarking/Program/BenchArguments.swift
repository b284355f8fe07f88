/// The arguments of a benchmark, which are read one after another.
package struct BenchArguments {
  private var rest: ArraySlice<String>

  init(_ words: ArraySlice<String>) { rest = words }

  /// - Parameter name: the argument's name in the list of benchmarks.
  package mutating func next(_ name: String) throws(BenchFailure) -> String {
    guard let word = rest.popFirst() else { throw .usage("\(name) is missing") }
    return word
  }

  /// Reads the next argument as a positive number.
  package mutating func nextCount(_ name: String) throws(BenchFailure) -> Int {
    let word = try next(name)
    guard let number = Int(word), number > 0 else { throw .usage("\(name) must be a positive number, not \(word)") }
    return number
  }

  /// Whether there are no more arguments.
  package var isAtEnd: Bool { rest.isEmpty }

  /// Checks that there are no more arguments.
  package func end() throws(BenchFailure) {
    if let word = rest.first { throw .usage("unexpected argument \(word)") }
  }
}
