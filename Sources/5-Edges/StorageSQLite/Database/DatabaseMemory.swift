internal import Storage
internal import Timeline

/// What a refresh needs to know about a database: about one kilobyte. While nothing is written, a refresh without new posts reads only the
/// number of the database's version. With more than ``WarmConnections/limit`` accounts, preparing the statements and reading the schema took
/// a third of such a refresh.
struct DatabaseMemory {
  var state: AccountState?
  private var home = TimelineMemory()
  private var others: [TimelineName: TimelineMemory] = [:]

  subscript(timeline: TimelineName) -> TimelineMemory {
    get { timeline == .home ? home : others[timeline] ?? TimelineMemory() }
    set { if timeline == .home { home = newValue } else { others[timeline] = newValue } }
  }

  /// What a refresh of a timeline needs to know.
  struct TimelineMemory {
    var spans: Spans?
    var since: SincePosition?
    var fetched: FetchedPosts?
    var stray: StrayPost?
    /// The last page, if storing it has changed nothing.
    var page: PageDigest?
  }

  /// A position that newer posts are requested from.
  struct SincePosition {
    let overlap: Duration
    let position: PostPosition?
  }

  /// The newest stored post below a position; `nil` if there is none.
  struct StrayPost {
    let bottom: PostKey
    let position: PostPosition?
  }

  /// A number of fetched posts, counted up to a limit.
  struct FetchedPosts {
    let limit: Int
    let count: Int
  }
}
