import Bytes
import Dispatch
import Folders
import Platform
import Settings
import Storage
import StorageSQLite
import StorageTestSupport
import TestSupport
import Time
import Timeline

/// A kind of store that the protocol tests run on.
enum StoreKind: CaseIterable {
  case files, memory
}

/// A store with one account, and a second writer.
final class StoreUnderTest {
  let provider: any StorageProvider
  let account = AccountName("bird")!
  private let queue = DispatchQueue(label: "account")
  private let folder = TemporaryFolder()
  private let memory = MemoryStorage()
  private let kind: StoreKind

  init(_ kind: StoreKind) {
    self.kind = kind
    switch kind {
    case .files: provider = FileStorage(FileLayout(BaseDirectories(environment: ["HOME": folder.path])!))
    case .memory: provider = memory
    }
  }

  var key: TimelineKey { .home(of: account) }
  var tokens: any TokenStorage { provider.tokens(of: account) }

  /// Runs the body with the open timeline, on its queue.
  func timeline(_ body: (any AccountStorage) throws -> Void) throws {
    try queue.sync {
      let timeline = try provider.open(key, at: noon, wasClosedWell: false, on: queue)
      defer { timeline.close(inHaste: false) }
      try body(timeline)
    }
  }

  /// Writes as another owner would. The timeline may be open at the same time.
  func writeFromElsewhere() throws {
    switch kind {
    case .files:
      let other = try provider.open(key, at: noon, wasClosedWell: true, on: queue)
      try other.update { $0[.home].failures += 1 }
      other.close(inHaste: true)
    case .memory: memory.writeFromElsewhere(to: key)
    }
  }
}

let noon = Timestamp(seconds: 1_795_176_000)

/// Returns a post with a decimal id. Each post is a minute newer than the post with the previous number.
func entry(_ number: Int, by author: String = "ann") -> Page.Entry {
  let id = PostID(String(number))
  let post = Post(
    id: id, createdAt: noon + .seconds(60 * (number - 1000)),
    author: User(id: author, screenName: author, name: author), text: "post \(number) by \(author)")
  return Page.Entry(post: post, key: PostKey(decimal: id)!)
}

/// Returns the posts from one number down to another.
func page(_ newest: Int, _ oldest: Int) -> Page {
  Page(entries: (oldest...newest).reversed().map { entry($0) }, older: nil)
}

func token(_ name: String) -> StoredToken {
  StoredToken(
    provider: "x",
    identity: AccountIdentity(server: "https://x.example", user: User(id: "1", screenName: "a", name: "A")),
    grant: .oauth2(
      BearerToken(
        accessToken: Secret(name), refreshToken: Secret("\(name)-refresh"), scope: nil, clientID: "c", issuedAt: noon,
        expiresAt: noon + .seconds(7200), renewAt: noon + .seconds(6480))),
    authorisedAt: noon)
}
