internal import Commands
internal import LocalCommands
internal import Platform

extension Command.Show: LocalCommand {
  func run(in context: CommandContext) throws(CommandError) -> ExitCode {
    try NewestPosts.show(for: self, in: context, hash: CommandContext.hash) { (writer, posts) throws(CommandError) in
      writer.output(of: PostThreads(of: posts, answered: AnsweredPosts(try context.archives())))
    }
  }
}
