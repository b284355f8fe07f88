internal import Commands
internal import Platform

/// The result of a command's preparation.
enum Preparation {
  /// The command is complete; no request is sent to the state owner.
  case done(ExitCode)
  /// The state owner is requested to run this command.
  /// - Parameters:
  ///   - arguments: The command's arguments for `homelined`.
  ///   - waits: Whether this process waits for a `homelined` that becomes the state owner, instead of being replaced by it.
  ///   - cleanUp: Called with the exit code after the state owner has replied, or after the `homelined` that this process
  ///     waits for has exited.
  case ask(any OwnerCommand, arguments: SettledArguments, waits: Bool = false, cleanUp: (ExitCode) -> Void)
}
