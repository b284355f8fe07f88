/// The repository that the tests were built from.
package enum Repository {
  /// Returns the absolute path of a file, given its path in the repository.
  package static func path(_ file: String) -> String { "\(root)/\(file)" }

  private static let root = #filePath.split(separator: "/").dropLast(4).map { "/\($0)" }.joined()
}
