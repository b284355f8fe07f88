package import Commands
package import Platform

/// A command that a program runs itself, without the state owner.
///
/// `homeline` runs those that need neither the database library nor libcrypto, whose loading takes longer than most commands: it is not linked
/// with them. The other ones are run by `homelined`, which `homeline` becomes.
package protocol LocalCommand: CommandDeclaration {
  func run(in context: CommandContext) throws(CommandError) -> ExitCode
}
