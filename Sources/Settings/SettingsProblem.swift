package import JSON

/// One thing that is wrong with a configuration, and where.
package struct SettingsProblem: Sendable, Hashable, CustomStringConvertible {
  package let place: JSONPlace
  /// The keys that lead there, such as `accounts.bird.refresh_seconds`; empty when the text is no JSON at all.
  package let path: String
  /// What is wrong, with the nearest known key where one is unknown. Never a secret.
  package let what: String

  package init(place: JSONPlace, path: String, what: String) {
    self.place = place
    self.path = path
    self.what = what
  }

  /// `LINE:COLUMN: PATH: what`, to be put behind the name of the file and a colon.
  package var description: String {
    "\(place.line):\(place.column): " + (path.isEmpty ? what : "\(path): \(what)")
  }
}

/// A configuration that cannot be used: all that is wrong with it, in the order of the text.
package struct SettingsError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Never empty.
  package let problems: [SettingsProblem]

  package init(problems: [SettingsProblem]) {
    precondition(!problems.isEmpty, "a configuration without a problem is no error")
    self.problems = problems
  }

  /// A problem per line.
  package var description: String { problems.map(\.description).joined(separator: "\n") }
}
