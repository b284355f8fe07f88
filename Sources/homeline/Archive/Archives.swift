internal import Commands
internal import Platform
internal import Settings
internal import Store

/// The archives of all accounts, to be looked at.
struct Archives {
  let layout: FileLayout

  /// The accounts that have an archive, sorted; the named one alone where one is named.
  /// - Throws: 77 where there is none.
  func accounts(_ named: AccountName?) throws(CommandFailure) -> [AccountName] {
    if let named {
      if hasArchive(named) { return [named] }
      throw CommandFailure(
        .notAuthorised,
        "\(named): there is no archive yet, \(path(of: named)) is missing. To begin: homeline login \(named)")
    }
    let found: [String]
    do throws(SystemError) { found = try layout.accountsWithFiles() } catch {
      throw CommandFailure(.inputOutput, "\(error)")
    }
    let accounts = found.compactMap { AccountName($0) }.filter(hasArchive)
    if accounts.isEmpty {
      throw CommandFailure(.notAuthorised, "there is no archive yet. To begin: homeline login, or homeline demo")
    }
    return accounts
  }

  /// The named account; without a name the only enabled one, or else the only one that has an archive.
  func account(_ named: AccountName?, _ file: ConfigurationFile) throws(CommandFailure) -> AccountName {
    if named == nil, let enabled = try? file.load().enabledAccounts, enabled.count == 1 {
      return try accounts(enabled[0].name)[0]
    }
    let accounts = try accounts(named)
    if accounts.count == 1 { return accounts[0] }
    throw CommandFailure(.usage, "name the account: \(accounts.map(\.text).joined(separator: ", "))")
  }

  /// - Throws: 65, 74, 75 or 78, as `AccountDatabaseError` is told everywhere.
  func open(_ account: AccountName) throws(CommandFailure) -> AccountDatabase {
    do throws(AccountDatabaseError) {
      if let database = try AccountDatabase.openArchive(layout.files(of: account.text)) { return database }
    } catch { throw Self.failure(error) }
    throw CommandFailure(
      .badData, "\(path(of: account)): not an archive of homeline. The service sets it aside when it starts next")
  }

  static func failure(_ error: AccountDatabaseError) -> CommandFailure {
    switch error {
    case .newerSchema: CommandFailure(.configuration, "\(error)")
    case .olderSchema: CommandFailure(.temporary, "\(error)")
    case .sqlite(let error): failure(error)
    case .system: CommandFailure(.inputOutput, "\(error)")
    }
  }

  static func failure(_ error: SQLiteError) -> CommandFailure {
    if error.isDamage {
      return CommandFailure(.badData, "\(error). The service sets it aside when it meets the damage")
    }
    return CommandFailure(error.isBusy ? .temporary : .inputOutput, "\(error)")
  }

  private func path(of account: AccountName) -> String { layout.files(of: account.text).database }
  private func hasArchive(_ account: AccountName) -> Bool { File.exists(path(of: account)) }
}
