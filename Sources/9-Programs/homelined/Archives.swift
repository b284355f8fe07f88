internal import Commands
internal import Folders
internal import Platform
internal import Settings
internal import Storage
internal import Timeline

/// Read access to the archives of all accounts.
struct Archives {
  let storage: any StorageProvider

  /// Returns the accounts that have an archive, sorted, or only the named account.
  /// - Throws: 77 if there is none.
  func accounts(_ named: AccountName?) throws(CommandError) -> [AccountName] {
    if let named {
      if hasArchive(named) { return [named] }
      throw CommandError(
        .notAuthorised,
        "\(named): the archive does not exist yet (\(path(of: named))). To create it: homeline login \(named)")
    }
    let accounts: [AccountName]
    do throws(StorageError) { accounts = try storage.accounts().filter(hasArchive) } catch { throw Self.failure(error) }
    if accounts.isEmpty {
      throw CommandError(.notAuthorised, "no archive exists yet. To create one: homeline login")
    }
    return accounts
  }

  /// Returns the timeline that a user names, as in the configuration; nil if only its account is named. Without the configuration, or for an
  /// account that it lacks, the timeline is taken as written, because an archive keeps a timeline that is no longer fetched.
  func timeline(_ operand: TimelineOperand?, _ file: ConfigurationFiles) throws(CommandError) -> TimelineName? {
    guard let operand, let timeline = operand.timeline else { return nil }
    guard let account = (try? file.load())?[operand.account] else { return timeline }
    if let known = account.timelines.first(where: { $0.isSame(as: timeline) }) { return known }
    if try stores(timeline, of: operand.account) { return timeline }
    do throws(UnknownTimelineError) { return try account.timeline(named: timeline.description) } catch {
      throw CommandError(AccountChoiceError.unknownTimeline(error))
    }
  }

  /// Returns the named account, otherwise the only enabled one, otherwise the only one with an archive.
  func account(_ named: AccountName?, _ file: ConfigurationFiles) throws(CommandError) -> AccountName {
    if named == nil, let enabled = try? file.load().enabledAccounts, enabled.count == 1 {
      return try accounts(enabled[0].name)[0]
    }
    let accounts = try accounts(named)
    if accounts.count == 1 { return accounts[0] }
    throw CommandError(.usage, "specify the account: \(accounts.map(\.text).joined(separator: ", "))")
  }

  /// Returns whether an account's archive contains posts of a timeline.
  private func stores(_ timeline: TimelineName, of account: AccountName) throws(CommandError) -> Bool {
    guard hasArchive(account) else { return false }
    let archive = try open(account)
    defer { archive.close() }
    do throws(StorageError) { return try !archive.posts(of: timeline, below: nil, atMost: 1).isEmpty } catch {
      throw Self.failure(error)
    }
  }

  /// Opens an account's archive.
  /// - Throws: 65, 74, 75 or 78: see `StorageError.exitCode`.
  func open(_ account: AccountName) throws(CommandError) -> any TimelineReading {
    do throws(StorageError) {
      if let database = try storage.openArchive(.home(of: account)) { return database }
    } catch { throw Self.failure(error) }
    throw CommandError(
      .badData, "\(path(of: account)): not a homeline archive. The service will move it aside at its next start")
  }

  static func failure(_ error: StorageError) -> CommandError {
    CommandError(
      error.exitCode,
      error.kind == .damaged ? "\(error). The service will move it aside and recover the readable posts" : "\(error)")
  }

  private func path(of account: AccountName) -> String { storage.location(of: .home(of: account)) }
  private func hasArchive(_ account: AccountName) -> Bool { storage.hasTimeline(.home(of: account)) }
}
