internal import Commands
internal import LocalCommands

/// A command that `homelined` prepares before the state owner runs it.
protocol PreparedCommand: OwnerCommand {
  func prepare(in context: CommandContext) throws(CommandError) -> Preparation
}
