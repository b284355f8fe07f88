package import Commands
package import Folders
internal import Platform
package import Settings

/// The published files in the cache folder.
package struct PublishedFiles {
  private let layout: FileLayout

  package init(_ layout: FileLayout) { self.layout = layout }

  var cacheFolder: String { layout.cacheFolder }

  private func source(_ account: AccountName) -> ShownSource {
    ShownSource(name: account.text, folder: layout.files(of: account.text).cacheFolder, isView: false)
  }

  /// Returns the timelines to show: the given account or view; with `mergesAll`, all accounts that have a file. Otherwise, all enabled
  /// accounts with a timeline; if none is enabled, all accounts that have a file. The configuration is read only to find these accounts,
  /// and may be missing.
  /// - Parameter waits: Whether accounts without a file are included, because the command waits for the file.
  /// - Throws: `CommandError` if there is no account to show. A named account without a file is accepted.
  package func timelines(
    account: AccountName?, view: AccountName?, mergesAll: Bool = false, waits: Bool = false, _ file: ConfigurationFiles
  ) throws(CommandError) -> ShownTimelines {
    if let view {
      return ShownTimelines(
        sources: [ShownSource(name: view.text, folder: layout.viewFolder(of: view.text), isView: true)])
    }
    if let account { return ShownTimelines(sources: [source(account)]) }
    if mergesAll, waits { return ShownTimelines(sources: folders(), isMerged: true) }
    let enabled = mergesAll ? [] : ((try? file.load().timelines) ?? []).map(\.name)
    if enabled.count == 1 { return ShownTimelines(sources: [source(enabled[0])]) }
    let published = accounts()
    let names = enabled.isEmpty ? published : waits ? enabled : enabled.filter(published.contains)
    if names.isEmpty { throw Self.nothing }
    return ShownTimelines(sources: names.map(source), isMerged: mergesAll || max(enabled.count, names.count) > 1)
  }

  /// Returns all accounts that have a folder, even an empty one.
  func folders() -> [ShownSource] { names().map(source) }

  private static let nothing = CommandError(
    .notAuthorised, "nothing has been published yet. To start: homeline login")

  /// Returns the sorted accounts that have a file.
  private func accounts() -> [AccountName] { names().filter { File.exists(source($0).path) } }

  private func names() -> [AccountName] {
    ((try? Folder.names(in: layout.cacheFolder)) ?? []).compactMap { AccountName($0) }
  }
}

extension CommandContext {
  package func publishedFiles() throws(CommandError) -> PublishedFiles { PublishedFiles(try layout()) }
}
