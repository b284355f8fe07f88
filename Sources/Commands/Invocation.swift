/// A command and what every command takes.
package struct Invocation: Sendable, Hashable {
  package var command: Command
  /// The file of `--config`, as given.
  package var configurationFile: String?
  package var isVerbose: Bool

  package init(_ command: Command, configurationFile: String? = nil, isVerbose: Bool = false) {
    self.command = command
    self.configurationFile = configurationFile
    self.isVerbose = isVerbose
  }
}
