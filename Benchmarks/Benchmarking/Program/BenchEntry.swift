/// A benchmark, which the command line selects by its name.
package struct BenchEntry: Sendable {
  package typealias Run = @Sendable (inout BenchArguments) throws -> Void

  let name: String
  /// The benchmark's arguments and description, for the list of benchmarks.
  let words: String
  /// The function that runs the benchmark; nil if the benchmark is in another program.
  let run: Run?

  package init(_ name: String, _ words: String, _ run: @escaping Run) {
    (self.name, self.words, self.run) = (name, words, run)
  }

  private init(name: String, words: String) { (self.name, self.words, run) = (name, words, nil) }

  /// Returns an entry for a benchmark in the program `homeline-bench-network`.
  package static func elsewhere(_ name: String, _ words: String) -> BenchEntry { BenchEntry(name: name, words: words) }
}
