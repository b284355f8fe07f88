/// A benchmark that is selected by name.
package struct BenchEntry: Sendable {
  package typealias Run = @Sendable (inout BenchArguments) throws -> Void

  let name: String
  /// The arguments and a description, for the list of entries.
  let words: String
  /// Nil if the benchmark is in another program.
  let run: Run?

  package init(_ name: String, _ words: String, _ run: @escaping Run) {
    (self.name, self.words, self.run) = (name, words, run)
  }

  private init(name: String, words: String) { (self.name, self.words, run) = (name, words, nil) }

  /// A benchmark in the program with the network.
  package static func elsewhere(_ name: String, _ words: String) -> BenchEntry { BenchEntry(name: name, words: words) }
}
