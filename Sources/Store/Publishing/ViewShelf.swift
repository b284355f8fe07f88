internal import CivilTime
internal import Publish
internal import Timeline

/// One account's posts for a view, newest first and a few at a time.
struct ViewShelf {
  let account: String
  let database: AccountDatabase
  let state: AccountState
  private var waiting: ArraySlice<PublishedPost> = []
  private var lowest: PostKey?
  private var isEmpty = false

  private static let portion = 100

  init(_ account: String, _ database: AccountDatabase) throws(SQLiteError) {
    self.account = account
    self.database = database
    state = try database.state()
  }

  /// The post that comes next; to be asked after `fill()`.
  var next: PublishedPost? { waiting.first }

  /// Of two that both have a post.
  func isOlder(than other: ViewShelf) -> Bool {
    guard let next, let others = other.next else { return next == nil }
    return next.post.createdAt < others.post.createdAt
  }

  mutating func take() -> PublishedPost? { waiting.popFirst() }

  /// Fetches the next posts when none waits any more.
  mutating func fill() throws(SQLiteError) {
    while waiting.isEmpty, !isEmpty {
      let posts = try database.posts(below: lowest, atMost: Self.portion)
      isEmpty = posts.count < Self.portion
      lowest = posts.last?.mark.key
      waiting =
        posts.compactMap { known in
          (try? PostJSON.read(known.json)).map { post in
            PublishedPost(
              post: post, json: known.json, account: account,
              isUnread: state.readUpTo.map { $0 < known.mark } ?? true)
          }
        }[...]
    }
  }

  func close() { database.close() }
}
