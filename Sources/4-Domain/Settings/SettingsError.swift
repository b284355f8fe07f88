/// An invalid configuration: all its problems, in the order of the files.
package struct SettingsError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The problems; never empty.
  package let problems: [SettingsProblem]

  package init(problems: [SettingsProblem]) {
    precondition(!problems.isEmpty, "a configuration without a problem is not an error")
    self.problems = problems
  }

  /// One problem per line.
  package var description: String { problems.map(\.description).joined(separator: "\n") }
}
