/// One thing that can be measured, by the name that it is asked for with.
package struct BenchEntry: Sendable {
  package typealias Run = @Sendable (inout BenchArguments) throws -> Void

  let name: String
  /// Its arguments and what it does, for the list of entries.
  let words: String
  /// `nil` where another program does it.
  let run: Run?

  package init(_ name: String, _ words: String, _ run: @escaping Run) {
    (self.name, self.words, self.run) = (name, words, run)
  }

  private init(name: String, words: String) { (self.name, self.words, run) = (name, words, nil) }

  /// One that the program with the network has.
  package static func elsewhere(_ name: String, _ words: String) -> BenchEntry { BenchEntry(name: name, words: words) }
}
