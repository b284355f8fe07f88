internal import CivilTime
internal import Publish
internal import Storage
internal import Timeline

/// What a refresh needs to know of a database, about one kilobyte. While nothing is written, a refresh without new posts reads only the
/// number of the database's version. With more than ``WarmConnections/limit`` accounts, preparing the statements and reading the schema took
/// a third of such a refresh.
struct DatabaseMemory {
  var state: AccountState?
  var spans: Spans?
  var since: SincePosition?
  var fetched: FetchedPosts?
  /// The last page, if storing it has changed nothing.
  var page: PageDigest?

  /// A position from which newer posts are requested.
  struct SincePosition {
    let overlap: Duration
    let position: PostPosition?
  }

  /// A number of fetched posts, counted up to a limit.
  struct FetchedPosts {
    let limit: Int
    let count: Int
  }
}

/// A number that identifies the content of a newest page. Different pages have the same number with a probability of 2^-64, because the
/// hash function has a random key in each process.
struct PageDigest {
  private let content: Int
  private let retention: Retention
  private let receivedAt: Timestamp

  /// - Returns: `nil` if the page's state must be stored even if the page has no new posts.
  init?(_ write: PageWrite) {
    guard write.defersQuietState, write.settlement == nil, case .head = write.place else { return nil }
    let page = write.page
    var hasher = Hasher()
    for entry in page.entries {
      hasher.combine(entry.key)
      hasher.combine(PostJSON.bytes(entry.post))
    }
    hasher.combine(page.deleted)
    hasher.combine(page.older)
    hasher.combine(page.reaches)
    hasher.combine(page.stretch)
    content = hasher.finalize()
    retention = write.retention
    receivedAt = write.receivedAt
  }

  /// Returns whether storing this page would change nothing, because it equals the last one. Once an hour, a page is stored anyway, which
  /// removes the posts whose time has come.
  func repeats(_ last: PageDigest) -> Bool {
    let age = receivedAt - last.receivedAt
    return content == last.content && retention == last.retention && age >= .zero && age < .seconds(3600)
  }
}
