internal import Commands
internal import Platform
internal import Settings
internal import Store

/// The published files in the cache folder.
struct PublishedFiles {
  private let layout: FileLayout

  init(_ layout: FileLayout) { self.layout = layout }

  private func path(of account: AccountName) -> String { layout.files(of: account.text).timeline }

  /// The file of an account; without a name that of the only enabled account, or else the only file that there is. The
  /// configuration is asked for that alone, and need not be there.
  func path(for account: AccountName?, _ file: ConfigurationFile) throws(CommandFailure) -> String {
    let account = if let account { account } else { try only(file) }
    let path = path(of: account)
    if File.exists(path) { return path }
    throw CommandFailure(
      .notAuthorised,
      "\(account): nothing has been published yet, \(path) is missing. To begin: homeline login \(account)")
  }

  private func only(_ file: ConfigurationFile) throws(CommandFailure) -> AccountName {
    if let enabled = try? file.load().enabledAccounts, enabled.count == 1 { return enabled[0].name }
    let names = accounts()
    guard let name = names.first else {
      throw CommandFailure(.notAuthorised, "nothing has been published yet. To begin: homeline login, or homeline demo")
    }
    if names.count == 1 { return name }
    throw CommandFailure(.usage, "name the account: \(names.map(\.text).joined(separator: ", "))")
  }

  /// Those that have a file, sorted.
  private func accounts() -> [AccountName] {
    let names = (try? Folder.names(in: layout.cacheFolder)) ?? []
    return names.compactMap { AccountName($0) }.filter { File.exists(path(of: $0)) }
  }
}
