internal import HTTP
internal import Settings
internal import Storage
internal import Timeline

/// Opens the accounts' archives for pages. An archive that cannot be read concerns only its own pages.
struct WebArchives: Sendable {
  let data: WebData

  /// Returns the account with this name. An account that is no longer in the configuration keeps its archive.
  func account(named text: String) throws(WebError) -> AccountName {
    guard let name = AccountName(text), data.configuration[name] != nil || hasArchive(name) else {
      throw WebError(.notFound, "There is no account with this name", "It may have been renamed or removed.")
    }
    return name
  }

  /// Returns a timeline of an account as in the configuration. An archive keeps a timeline that is no longer fetched.
  func timeline(named text: String, of account: AccountName) throws(WebError) -> TimelineKey {
    guard let name = try? TimelineName(text) else { throw Self.noTimeline(of: account) }
    if let known = data.configuration[account]?.timelines.first(where: { $0.isSame(as: name) }) {
      return TimelineKey(account: account, timeline: known)
    }
    let stored = try read(account) { archive throws(StorageError) in try archive.timelines().map(\.name) } ?? []
    guard let known = stored.first(where: { $0.isSame(as: name) }) else { throw Self.noTimeline(of: account) }
    return TimelineKey(account: account, timeline: known)
  }

  private static func noTimeline(of account: AccountName) -> WebError {
    WebError(
      .notFound, "The account \(account) has no timeline with this name",
      "To see what the server offers, run: homeline timelines \(account)",
      way: WebError.Way(.timeline(.home(of: account)), "The account \(account)"))
  }

  /// The accounts that have an archive, sorted by name.
  func accounts() throws(WebError) -> [AccountName] {
    do throws(StorageError) { return try data.storage.accounts().filter(hasArchive) } catch {
      throw WebError(.serviceUnavailable, "The archives cannot be listed", "\(error)")
    }
  }

  /// Reads an account's archive as of a single moment.
  /// - Returns: `nil` if there is none yet.
  func read<Value>(
    _ account: AccountName, _ body: (any TimelineReading) throws(StorageError) -> Value
  ) throws(WebError) -> Value? {
    do throws(StorageError) {
      guard let archive = try open(account) else { return nil }
      defer { archive.close() }
      return try body(archive)
    } catch { throw WebError(error, of: account) }
  }

  /// Opens an account's archive for reads as of a single moment. The caller closes it.
  /// - Returns: `nil` if there is none yet.
  /// - Throws: `.olderVersion` if the service has not upgraded it yet.
  func open(_ account: AccountName) throws(StorageError) -> (any TimelineReading)? {
    guard let archive = try data.storage.openForReading(.home(of: account), isSnapshot: true) else { return nil }
    if archive.hasArchive { return archive }
    archive.close()
    throw StorageError(.olderVersion, "an older homeline has written it", hint: "The service upgrades it soon")
  }

  private func hasArchive(_ account: AccountName) -> Bool { data.storage.hasTimeline(.home(of: account)) }
}

extension WebError {
  /// The error for an archive that cannot be read.
  init(_ error: StorageError, of account: AccountName) {
    self.init(.serviceUnavailable, "The archive of \(account) cannot be read", "\(error).")
    switch error.kind {
    case .damaged: advice.append("The service moves it aside at its next refresh and recovers the readable posts.")
    case .busy, .outdated: advice.append("Another process uses it. Load the page again in a moment.")
    default: break
    }
    advice.append("The other accounts are not affected.")
  }
}
