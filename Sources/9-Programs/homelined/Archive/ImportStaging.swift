internal import Commands
internal import Folders
internal import Glibc
internal import LocalCommands
internal import Platform
internal import Settings
internal import StorageSQLite

extension Command.Import: PreparedCommand {

  func prepare(in context: CommandContext) throws(CommandError) -> Preparation {
    let staged = try ImportStaging(arguments: self, account: try context.account(account), layout: try context.layout())
      .staged()
    var arguments = context.arguments
    arguments.replaceOperands(by: [staged.file])
    if let account = staged.account { arguments.add(option: "--account", account.text) }
    // An owner that refuses the request does not delete the file.
    return .ask(staged, arguments: arguments, cleanUp: { _ in try? File.remove(staged.file) })
  }
}

/// Reads the whole file of `homeline import` before anything is changed, and stages its posts in the account's data folder. The posts
/// are staged because the state owner may not have access to the user's file, and because a pipe can be read only once.
struct ImportStaging {
  let arguments: Command.Import
  let account: AccountSettings
  let layout: FileLayout

  /// Returns the import command with the path of the staged file.
  func staged() throws(CommandError) -> Command.Import {
    let files = layout.files(of: account.name.text)
    // The name contains this process's id, which execv(2) keeps, so that abandoned files can be recognised.
    let path = files.staged("\(AccountFiles.stagedPrefix)\(getpid()).jsonl")
    do throws(SystemError) { try Folder.create(files.dataFolder) } catch {
      throw CommandError(.cannotCreate, "\(error)")
    }
    var line = ProgressLine()
    defer { line.clear() }
    let name = arguments.file.split(separator: "/").last.map(String.init) ?? arguments.file
    do throws(ImportError) {
      _ = try ImportFile.stage(arguments.file, to: path) { done, total in
        line.show(ProgressLine.Job(name, .bytes, done: done, of: total, details: ["checking"]))
      }
    } catch { throw CommandError(error) }
    return Command.Import(file: path, account: account.name)
  }
}
