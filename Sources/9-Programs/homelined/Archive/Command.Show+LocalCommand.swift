internal import Commands
internal import LocalCommands
internal import Platform

extension Command.Show: LocalCommand {
  func run(in context: CommandContext) throws(CommandError) -> ExitCode {
    try NewestPosts.show(for: self, in: context, hash: CommandContext.hash) { (writer, posts) throws(CommandError) in
      let answered = AnsweredPosts(try context.archives())
      return writer.output(of: PostThreads(of: ShownPost.joiningNotices(posts), answered: answered))
    }
  }
}
