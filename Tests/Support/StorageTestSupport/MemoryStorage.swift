package import Dispatch
internal import Folders
internal import HomelineOAuth
internal import Platform
internal import Posting
package import Settings
package import Storage
internal import StorageSQLite
package import Time

/// Storage that ends with the test. Tokens, state, spending, registrations and request starts are values, and posts are in in-memory SQLite
/// databases. Closing a timeline and opening it again keeps its content. The storage can refuse writes or fail if a test asks for it.
package final class MemoryStorage: StorageProvider {
  private struct Content {
    var tokens: [AccountName: MemoryTokens] = [:]
    var starts: [AccountName: MemoryStarts] = [:]
    var outboxes: [AccountName: MemoryOutbox] = [:]
    var servers: [String: MemoryServer] = [:]
    var timelines: [TimelineKey: MemoryTimeline] = [:]
  }

  private let content = Locked(Content())
  /// The paths shown to users. No file is written there.
  private let layout: FileLayout
  package let protection: (any ProtectedStorage)?

  package init(protection: (any ProtectedStorage)? = nil) {
    self.protection = protection
    layout = FileLayout(BaseDirectories(environment: ["HOME": "/memory"])!)
  }

  /// Makes the next writes to a timeline fail.
  package func failWrites(to key: TimelineKey, _ count: Int, as kind: StorageError.Kind) {
    timeline(key).faults.withLock { $0 = (count, kind) }
  }

  /// Writes to a timeline as another owner would.
  package func writeFromElsewhere(to key: TimelineKey) { timeline(key).revision.withLock { $0 += 1 } }

  private func timeline(_ key: TimelineKey) -> MemoryTimeline {
    content.withLock { content in
      if let known = content.timelines[key] { return known }
      let new = MemoryTimeline()
      content.timelines[key] = new
      return new
    }
  }

  package func accounts() throws(StorageError) -> [AccountName] {
    content.withLock { content in
      Set(content.tokens.filter { $0.value.isPresent }.keys)
        .union(content.timelines.filter { $0.value.isBegun }.keys.map(\.account)).sorted()
    }
  }

  package func hasTimeline(_ key: TimelineKey) -> Bool {
    content.withLock { $0.timelines[key]?.isBegun ?? false }
  }

  package func removeUnused(_ account: AccountName) throws(StorageError) -> Bool {
    content.withLock {
      $0.tokens[account]?.isPresent != true && $0.timelines[.home(of: account)]?.isBegun != true
    }
  }

  package func location(of key: TimelineKey) -> String { "the memory of \(key.account)" }

  package func tokens(of account: AccountName) -> any TokenStorage {
    content.withLock { content in
      let tokens = content.tokens[account] ?? MemoryTokens(of: account)
      content.tokens[account] = tokens
      return tokens
    }
  }

  package func starts(of account: AccountName) -> any StartStorage {
    content.withLock { content in
      let starts = content.starts[account] ?? MemoryStarts()
      content.starts[account] = starts
      return starts
    }
  }

  package func outbox(of account: AccountName) -> any OutboxStorage {
    content.withLock { content in
      let outbox = content.outboxes[account] ?? MemoryOutbox()
      content.outboxes[account] = outbox
      return outbox
    }
  }

  private func server(_ name: String) -> MemoryServer {
    content.withLock { content in
      let server = content.servers[name] ?? MemoryServer()
      content.servers[name] = server
      return server
    }
  }

  package func clients(at server: String) -> any ClientStorage { self.server(server) }
  package func metadata(of server: String) -> any ServerMetadataStorage { self.server(server) }

  package func openForReading(
    _ key: TimelineKey, isSnapshot: Bool
  ) throws(StorageError) -> (any TimelineReading)? {
    hasTimeline(key) ? try opened(key) : nil
  }

  package func openArchive(_ key: TimelineKey) throws(StorageError) -> (any TimelineReading)? {
    hasTimeline(key) ? try opened(key) : nil
  }

  package func removeLeftovers() throws(StorageError) {}
  package func removeLeftovers(of account: AccountName) throws(StorageError) {}

  package func open(
    _ key: TimelineKey, at now: Timestamp, wasClosedWell: Bool, on queue: DispatchQueue
  ) throws(StorageError) -> any AccountStorage {
    try opened(key)
  }

  private func opened(_ key: TimelineKey) throws(StorageError) -> MemoryAccountStorage {
    let timeline = timeline(key)
    return MemoryAccountStorage(timeline, posts: try timeline.posts(of: layout.files(of: key.account.text)))
  }

  package func temporaryStorage(for key: TimelineKey, on queue: DispatchQueue) throws(StorageError)
    -> any AccountStorage
  {
    let timeline = MemoryTimeline(isTemporary: true)
    return MemoryAccountStorage(timeline, posts: try timeline.posts(of: layout.files(of: key.account.text)))
  }

  package func setAside(
    _ account: AccountName, userID: String, at now: Timestamp
  ) throws(StorageError) -> [String] {
    content.withLock { content in
      let had = content.tokens[account]?.isPresent ?? false || content.timelines[.home(of: account)] != nil
      content.tokens[account]?.forget()
      content.timelines[.home(of: account)] = nil
      return had ? ["the former memory of \(account)"] : []
    }
  }

  package func setAsideDamaged(_ key: TimelineKey, at now: Timestamp) throws(StorageError) -> String {
    content.withLock { $0.timelines[key] = nil }
    return "the damaged memory of \(key.account)"
  }

  package func importedPosts(_ name: String, for account: AccountName) -> any ImportSource { NoImport() }
}

/// An import source that contains no posts.
private final class NoImport: ImportSource {
  func count() throws(StorageError) -> Int { 0 }
  func next(_ count: Int) throws(StorageError) -> [ImportedPost] { [] }
  func remove() {}
}

/// A timeline in memory, shared by all objects that have it open.
// Sendable because locks protect all of its state. The wrapper also uses the database only while it holds a lock.
final class MemoryTimeline: @unchecked Sendable {
  let isTemporary: Bool
  let revision = Locked<Int64>(0)
  let state = Locked(AccountState())
  let ledger = Locked(MemoryLedger())
  let faults = Locked<(count: Int, kind: StorageError.Kind)>((0, .other))
  private let database = Locked<AccountDatabase?>(nil)

  init(isTemporary: Bool = false) { self.isTemporary = isTemporary }

  /// Whether the timeline has been opened.
  var isBegun: Bool { database.withLock { $0 != nil } }

  func posts(of files: AccountFiles) throws(StorageError) -> AccountDatabase {
    try database.withLock { database throws(StorageError) in
      if let database { return database }
      let new = try AccountDatabase.temporaryStorage(for: files, queue: nil)
      database = new
      return new
    }
  }
}

/// The last request sent to a provider.
final class MemoryStarts: StartStorage {
  private let last = Locked<RequestStart?>(nil)

  func read() -> RequestStart? { last.withLock { $0 } }
  func write(_ start: RequestStart) throws(StorageError) { last.withLock { $0 = start } }
}

/// An account's intents.
final class MemoryOutbox: OutboxStorage {
  private let intents = Locked<[IntentID: PostIntent]>([:])

  func load(at now: Timestamp) throws(StorageError) -> OutboxContent {
    OutboxContent(intents: intents.withLock { $0.values.sorted(by: PostIntent.isInOrder) })
  }

  func damaged() throws(StorageError) -> [String] { [] }
  func intent(_ id: IntentID) -> PostIntent? { intents.withLock { $0[id] } }
  func readable() throws(StorageError) -> [PostIntent] {
    intents.withLock { $0.values.sorted(by: PostIntent.isInOrder) }
  }
  func write(_ intent: PostIntent) throws(StorageError) { intents.withLock { $0[intent.id] = intent } }
  func remove(_ id: IntentID) throws(StorageError) { intents.withLock { $0[id] = nil } }
}

/// The data about one server.
final class MemoryServer: ClientStorage, ServerMetadataStorage {
  private let all = Locked<[RegisteredClient]>([])
  private let endpoints = Locked<OAuth2Endpoints?>(nil)
  private let isCoarse = Locked(false)
  private let knownFeeds = Locked<ServerFeeds?>(nil)

  func client(forRedirect redirect: String, allowing scopes: [String]) throws(StorageError) -> RegisteredClient? {
    all.withLock { $0.last { $0.serves(redirect: redirect, scopes) } }
  }

  func client(id: String) throws(StorageError) -> RegisteredClient? {
    all.withLock { $0.last { $0.identifier == id } }
  }

  func store(_ client: RegisteredClient) throws(StorageError) {
    all.withLock { all in all = all.filter { $0.identifier != client.identifier } + [client] }
  }

  func forget(id: String, at now: Timestamp) throws(StorageError) {
    all.withLock { all in all = all.map { $0.identifier == id ? $0.forgotten(at: now) : $0 } }
  }

  func removeForgotten(except ids: Set<String>) throws(StorageError) {
    all.withLock { $0.removeAll { $0.forgottenAt != nil && !ids.contains($0.identifier) } }
  }

  func read() -> OAuth2Endpoints? { endpoints.withLock { $0 } }
  func store(_ endpoints: OAuth2Endpoints) throws(StorageError) { self.endpoints.withLock { $0 = endpoints } }
  var needsCoarseScopes: Bool { isCoarse.withLock { $0 } }
  func noteCoarseScopes() throws(StorageError) { isCoarse.withLock { $0 = true } }
  var feeds: ServerFeeds? { knownFeeds.withLock { $0 } }
  func store(_ feeds: ServerFeeds) throws(StorageError) { knownFeeds.withLock { $0 = feeds } }
}
