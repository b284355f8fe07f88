package import Commands
package import Folders
internal import Glibc
package import Platform
package import Settings
internal import TerminalText

/// The parsed command line and the environment of a command.
package struct CommandContext {
  package let registry: CommandRegistry
  package let environment: CommandEnvironment
  package let invocation: Invocation
  /// The command's arguments for a program that continues it.
  package var arguments: SettledArguments { invocation.settled }

  package init(registry: CommandRegistry, environment: CommandEnvironment, invocation: Invocation) {
    self.registry = registry
    self.environment = environment
    self.invocation = invocation
  }

  /// Runs commands in the state owner.
  package var owner: OwnerRun { OwnerRun(environment: environment, invocation: invocation) }

  package func folders() throws(CommandError) -> BaseDirectories { try environment.folders() }

  package func layout() throws(CommandError) -> FileLayout { FileLayout(try folders()) }

  package func configurationFiles() throws(CommandError) -> ConfigurationFiles {
    try environment.configurationFiles(invocation)
  }

  /// Returns the named account in the configuration, otherwise the only enabled one.
  /// - Parameter isForPosting: whether only accounts that can have posts are considered.
  package func account(_ name: AccountName?, isForPosting: Bool = false) throws(CommandError) -> AccountSettings {
    let configuration = try configurationFiles().load()
    do throws(AccountChoiceError) {
      return try configuration.account(named: name?.text, isForPosting: isForPosting)
    } catch {
      throw CommandError(error)
    }
  }

  /// Writes a command's output, and its notes on standard error.
  /// - Parameter isPaged: Whether a pager shows the output if it goes to a terminal. The notes then follow it.
  /// - Returns: The exit code of the command.
  package func write(_ output: CommandOutput, isPaged: Bool = false) throws(CommandError) -> ExitCode {
    if isPaged, !output.text.isEmpty, let pager = Pager(environment: environment), pager.show(output.text) {
      for note in output.notes { Terminal.say("homeline: \(note)") }
      return output.code
    }
    for note in output.notes { Terminal.say("homeline: \(note)") }
    do throws(SystemError) {
      try Terminal.answer(output.text)
    } catch {
      // Some service managers make their programs ignore SIGPIPE. In that case, a closed pipe is not an error either.
      if error.code == EPIPE { return .inputOutput }
      throw CommandError(error)
    }
    return output.code
  }
}
