internal import Commands
internal import Glibc
internal import Platform
internal import Settings
internal import Store

/// Reads the file of `homeline import`, whole and before anything is changed, and lays its posts down where the owner of the state
/// takes them from: the owner may not see the user's file, and what comes from a pipe comes once.
struct ImportStaging {
  let arguments: Command.Import
  let account: AccountSettings
  let layout: FileLayout

  /// - Returns: the same command, of the file that was laid down.
  func staged() throws(CommandFailure) -> Command.Import {
    let files = layout.files(of: account.name.text)
    // With the number of this process, also after it has become another program: what nobody takes any more can be told by it.
    let path = files.staged("\(AccountFiles.stagedPrefix)\(getpid()).jsonl")
    do throws(SystemError) { try Folder.create(files.dataFolder) } catch {
      throw CommandFailure(.cannotCreate, "\(error)")
    }
    do throws(ImportError) { _ = try ImportFile.stage(arguments.file, to: path) } catch {
      throw CommandFailure(error.exitCode, "\(error)")
    }
    return Command.Import(file: path, account: account.name)
  }
}

extension ImportError {
  fileprivate var exitCode: ExitCode {
    switch self {
    case .system, .sqlite: .inputOutput
    case .line, .row, .otherDatabase, .unfitDatabase: .badData
    case .databaseOnStandardInput: .usage
    }
  }
}
