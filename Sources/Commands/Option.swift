/// An option of a command, as the parser takes it and as the help shows it.
package struct Option: Sendable, Hashable {
  /// With its dashes: `--timeout`.
  package let name: String
  /// What stands for its value in the help; nil for a switch.
  package let value: String?
  package let help: String

  /// A switch.
  package init(_ name: String, _ help: String) {
    self.name = name
    value = nil
    self.help = help
  }

  /// An option with a value.
  package init(_ name: String, _ value: String, _ help: String) {
    self.name = name
    self.value = value
    self.help = help
  }

  /// `--timeout SECONDS`.
  package var usage: String { value.map { "\(name) \($0)" } ?? name }

  /// What every command takes.
  package static let global = [
    Option("--config", "FILE", "read this configuration instead of $XDG_CONFIG_HOME/homeline/config.json"),
    Option("-v", "say on standard error what is being done"),
    Option("--help", "show this help"),
    Option("--version", "show the version"),
  ]
}
