internal import Bytes
internal import Commands
internal import Folders
internal import JSON
internal import LocalCommands
internal import Platform
internal import Settings
internal import Storage
internal import TerminalText

extension Command.Account: LocalCommand {
  func run(in context: CommandContext) throws(CommandError) -> ExitCode {
    let files = try context.configurationFiles()
    let configuration = try files.load()
    guard let account else {
      return try context.write(AccountList(configuration, files).output(isJSON: context.invocation.isJSON))
    }
    let settings: AccountSettings
    do throws(AccountChoiceError) { settings = try configuration.account(named: account.text) } catch {
      throw CommandError(error)
    }
    switch action {
    case .list: preconditionFailure("the list has no account")
    case .disable: return try set(settings, isEnabled: false, files, context)
    case .enable: return try set(settings, isEnabled: true, files, context)
    case .remove: return try remove(account, files, context)
    }
  }

  private func set(
    _ account: AccountSettings, isEnabled: Bool, _ files: ConfigurationFiles, _ context: CommandContext
  ) throws(CommandError) -> ExitCode {
    let word = isEnabled ? "enabled" : "disabled"
    guard try ConfigurationFileEdit(files: files).set(account.name, isEnabled: isEnabled) else {
      return try context.write(CommandOutput("\(account.name): already \(word)\n"))
    }
    let code = try context.write(CommandOutput("\(account.name): \(word) in \(files.file(of: account.name))\n"))
    return code.worse(try context.owner.reloadService(files))
  }

  private func remove(
    _ account: AccountName, _ files: ConfigurationFiles, _ context: CommandContext
  ) throws(CommandError) -> ExitCode {
    let edit = ConfigurationFileEdit(files: files)
    // An invalid result must be noticed before the token is gone.
    _ = try edit.removing(account)
    let file = files.file(of: account)
    if try context.storage().tokens(of: account).isPresent {
      let code = try context.owner.run(Command.Logout(account), [Command.Logout.name, account.text])
      guard code == .done else { return code }
    }
    let (old, new) = try edit.removing(account)
    try edit.write(old, new)
    let reloaded = try context.owner.reloadService(files)
    try context.removeUnusedFiles(of: account)
    return try context.write(
      CommandOutput("\(account): removed from \(file)\n", notes: try notes(about: account, context))
    ).worse(reloaded)
  }

  /// Returns where the posts of a removed account are, if it has any.
  private func notes(about account: AccountName, _ context: CommandContext) throws(CommandError) -> [String] {
    let storage = try context.storage()
    guard let timeline = try? storage.openForReading(.home(of: account), isSnapshot: true) else { return [] }
    defer { timeline.close() }
    if (try? timeline.countOfPosts()) == 0 { return [] }
    return ["its posts stay in \(try context.layout().files(of: account.text).dataFolder)"]
  }
}

/// `homeline account list`: one line for each account, in columns, or JSON.
private struct AccountList {
  private let accounts: [AccountSettings]
  private let files: ConfigurationFiles

  init(_ configuration: Configuration, _ files: ConfigurationFiles) {
    accounts = configuration.accounts
    self.files = files
  }

  func output(isJSON: Bool) -> CommandOutput {
    let notes = accounts.isEmpty ? ["\(AccountChoiceError.noneEnabled([]))"] : []
    return isJSON ? CommandOutput(json, notes: notes) : CommandOutput(text, notes: notes)
  }

  private var json: ProgramOutput {
    JSONDocument.output { json in
      json.member("accounts", list: accounts) { json, account in
        json.object { json in
          json.member("account", account.name.text)
          json.member("provider", account.provider)
          json.member("server", Self.server(of: account))
          json.member("enabled", account.isEnabled)
          json.member("file", files.file(of: account.name))
        }
      }
    }
  }

  private static func server(of account: AccountSettings) -> String? {
    account.server.map { DomainName.shown($0.authority) } ?? account.issuer
  }

  private var text: String {
    let rows = accounts.map { account in
      [
        account.name.text, account.provider, Self.server(of: account) ?? "-",
        account.isEnabled ? "enabled" : "not enabled", files.file(of: account.name),
      ]
    }
    let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    let lines = rows.map { row in
      let cells = row.enumerated().map { column, text in
        column + 1 == row.count ? text : text + String(repeating: " ", count: widths[column] - text.count)
      }
      return cells.joined(separator: "  ") + "\n"
    }
    return lines.joined()
  }
}

extension Command.Init: LocalCommand {
  func run(in context: CommandContext) throws(CommandError) -> ExitCode {
    let files = try context.configurationFiles()
    do throws(SystemError) { try files.create(Configuration.example) } catch {
      let isTaken = error.isExisting && FreeName.danglingLink(files.path) == nil
      throw CommandError(.cannotCreate, isTaken ? "\(error) and was not changed" : "\(error)")
    }
    let notes = ["to add an account: homeline login"]
    if context.invocation.isJSON {
      return try context.write(
        CommandOutput(JSONDocument.output { $0.member("file", files.path) }, notes: notes))
    }
    return try context.write(CommandOutput("wrote \(files.path)\n", notes: notes))
  }
}
