internal import Commands
internal import LocalCommands
internal import Platform

extension Command.Show: LocalCommand {
  func run(in context: CommandContext) throws(CommandError) -> ExitCode {
    try NewestPosts.show(for: self, in: context) { (_) throws(CommandError) in
      // The names of the files contain a hash, which this program cannot compute without libcrypto.
      throw context.owner.handOver(context.arguments.all, of: self)
    }
  }
}
