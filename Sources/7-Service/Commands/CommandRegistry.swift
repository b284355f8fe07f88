/// The list of all commands. The parser, help, completion and manual are generated from it.
package struct CommandRegistry: Sendable {
  let commands: [any CommandDeclaration.Type]

  init(_ commands: [any CommandDeclaration.Type]) { self.commands = commands }

  /// The commands of homeline, in the order the help lists them.
  package static let standard = CommandRegistry([
    Command.Login.self, Command.Logout.self, Command.Account.self, Command.Init.self, Command.Status.self,
    Command.Refresh.self, Command.Timelines.self, Command.Token.self,
    Command.Show.self, Command.Search.self, Command.Open.self, Command.Web.self, Command.Read.self, Command.Drive.self,
    Command.Post.self, Command.Outbox.self, Command.Delete.self, Command.Repost.self, Command.Like.self,
    Command.Bookmark.self,
    Command.Export.self, Command.Import.self, Command.Purge.self,
    Command.Daemon.self, Command.Check.self, Command.Keyring.self, Command.Doctor.self, Command.Report.self,
    Command.Backup.self, Command.Restore.self,
    Command.Demo.self, Command.Sandbox.self, Command.Sign.self,
    Command.Help.self, Command.Version.self, Command.Completions.self, Command.Complete.self, Command.Discover.self,
  ])

  package func command(named name: String) -> (any CommandDeclaration.Type)? { commands.first { $0.name == name } }

  /// The commands in the help, the manual and the completions: all commands that are not hidden.
  package var documented: [any CommandDeclaration.Type] { commands.filter { $0.documentation.group != nil } }

  var documentedNames: [String] { documented.map { $0.name } }
}
