/// An option with any type of value, or a flag.
package protocol DeclaredOption: Sendable {
  var description: OptionDescription { get }
  /// Returns a value that means the same at any later time: times such as `30m` become fixed times.
  func settled(_ given: GivenArgument) -> String
}

extension DeclaredOption {
  package func settled(_ given: GivenArgument) -> String { given.text }
}
