/// A parsed command line: the command with its arguments, and the options that all or many commands share.
package struct Invocation: Sendable {
  package var command: any CommandDeclaration
  /// The value of `--config`, unchanged.
  package var configurationFile: String?
  package var isVerbose: Bool
  /// Whether the command prints JSON.
  package var isJSON: Bool
  /// The arguments for a program that continues the command.
  package var settled: SettledArguments

  package init(
    _ command: any CommandDeclaration, configurationFile: String? = nil, isVerbose: Bool = false, isJSON: Bool = false
  ) {
    self.command = command
    self.configurationFile = configurationFile
    self.isVerbose = isVerbose
    self.isJSON = isJSON
    settled = SettledArguments(of: type(of: command).name)
  }
}

extension Invocation: Equatable {
  package static func == (left: Invocation, right: Invocation) -> Bool {
    AnyHashable(left.command) == AnyHashable(right.command) && left.configurationFile == right.configurationFile
      && left.isVerbose == right.isVerbose && left.isJSON == right.isJSON
  }
}
