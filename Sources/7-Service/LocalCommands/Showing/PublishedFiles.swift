package import Commands
package import Folders
internal import Platform
package import Settings
internal import Timeline

/// The published files in the cache folder.
package struct PublishedFiles {
  /// Returns the SHA-256 of bytes, which the names of some files contain.
  package typealias Hash = ([UInt8]) throws(CommandError) -> [UInt8]

  private let layout: FileLayout
  private let hash: Hash

  init(_ layout: FileLayout, hash: @escaping Hash) {
    self.layout = layout
    self.hash = hash
  }

  var cacheFolder: String { layout.cacheFolder }

  private func source(_ account: AccountName) -> ShownSource {
    ShownSource(.timeline(.home(of: account)), files: layout.files(of: account.text).home)
  }

  /// Returns a timeline that a user names. An account alone is its home timeline, which needs no configuration.
  /// - Throws: `CommandError` if the account does not fetch the timeline.
  private func source(_ operand: TimelineOperand, _ file: ConfigurationFiles) throws(CommandError) -> ShownSource {
    guard var timeline = operand.timeline, timeline != .home else { return source(operand.account) }
    if let account = (try? file.load())?[operand.account] {
      do throws(UnknownTimelineError) { timeline = try account.timeline(named: timeline.description) } catch {
        throw CommandError(AccountChoiceError.unknownTimeline(error))
      }
    }
    let key = TimelineKey(account: operand.account, timeline: timeline)
    return ShownSource(
      .timeline(key),
      files: TimelineFiles(
        in: layout.files(of: operand.account.text).cacheFolder, stem: try timeline.stem(hash: hash)))
  }

  /// Returns the timelines to show: the given timeline or view; with `mergesAll`, all accounts that have a file. Otherwise, all enabled
  /// accounts with a timeline; if none is enabled, all accounts that have a file. The configuration is read only to find these accounts,
  /// and may be missing.
  /// - Parameter waits: Whether accounts without a file are included, because the command waits for the file.
  /// - Throws: `CommandError` if there is no account to show. A named account without a file is accepted.
  package func timelines(
    account: TimelineOperand?, view: AccountName?, mergesAll: Bool = false, waits: Bool = false,
    _ file: ConfigurationFiles
  ) throws(CommandError) -> ShownTimelines {
    if let view {
      return ShownTimelines(
        sources: [ShownSource(.view(view), files: TimelineFiles(in: layout.viewFolder(of: view.text)))])
    }
    if let account { return ShownTimelines(sources: [try source(account, file)]) }
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
  /// - Parameter hash: returns the SHA-256 of bytes. Called only for a timeline with a long name.
  package func publishedFiles(hash: @escaping PublishedFiles.Hash) throws(CommandError) -> PublishedFiles {
    PublishedFiles(try layout(), hash: hash)
  }
}
