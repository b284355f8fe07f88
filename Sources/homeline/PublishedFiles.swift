internal import Commands
internal import ConfigurationStore
internal import Files
internal import Platform
internal import Settings

/// The published files in the cache folder.
struct PublishedFiles {
  private let layout: FileLayout

  init(_ layout: FileLayout) { self.layout = layout }

  var cacheFolder: String { layout.cacheFolder }

  private func source(_ account: AccountName) -> ShownSource {
    ShownSource(name: account.text, folder: layout.files(of: account.text).cacheFolder, isView: false)
  }

  /// Returns the timelines to show: one account or view, or all accounts that have a file. Without a name, it is the only enabled
  /// account, otherwise the only account that has a file. The configuration is read only to find that account, and can be missing.
  /// - Throws: `CommandError` if there is no account to show. A named account without a file is accepted.
  func sources(for arguments: Command.Show, _ file: ConfigurationFiles) throws(CommandError) -> [ShownSource] {
    if let view = arguments.view {
      return [ShownSource(name: view.text, folder: layout.viewFolder(of: view.text), isView: true)]
    }
    if !arguments.mergesAll { return [source(try account(arguments.account, file))] }
    if arguments.follows { return folders() }
    let sources = accounts().map(source)
    if sources.isEmpty { throw Self.nothing }
    return sources
  }

  /// Returns all accounts that have a folder, even an empty one.
  func folders() -> [ShownSource] { names().map(source) }

  /// Returns the account to show.
  func account(_ account: AccountName?, _ file: ConfigurationFiles) throws(CommandError) -> AccountName {
    if let account { account } else { try only(file) }
  }

  private func only(_ file: ConfigurationFiles) throws(CommandError) -> AccountName {
    if let enabled = try? file.load().enabledAccounts, enabled.count == 1 { return enabled[0].name }
    let names = accounts()
    guard let name = names.first else { throw Self.nothing }
    if names.count == 1 { return name }
    throw CommandError(.usage, "specify the account: \(names.map(\.text).joined(separator: ", "))")
  }

  private static let nothing = CommandError(
    .notAuthorised, "nothing has been published yet. To start: homeline login")

  /// Returns the sorted accounts that have a file.
  private func accounts() -> [AccountName] { names().filter { File.exists(source($0).path) } }

  private func names() -> [AccountName] {
    ((try? Folder.names(in: layout.cacheFolder)) ?? []).compactMap { AccountName($0) }
  }
}
