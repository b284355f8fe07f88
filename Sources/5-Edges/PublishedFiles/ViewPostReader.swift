internal import Formats
internal import Settings
internal import Storage
internal import Time
internal import Timeline

/// Reads one timeline's posts for a view, newest first and in batches.
struct ViewPostReader {
  let key: TimelineKey
  let database: any TimelineReading
  let state: TimelineState
  private var waiting: ArraySlice<PublishedPost> = []
  private var lowest: PostKey?
  private var isEmpty = false

  private static let portion = 100

  init(_ key: TimelineKey, _ database: any TimelineReading) throws(StorageError) {
    self.key = key
    self.database = database
    state = try database.state()[key.timeline]
  }

  /// The next post. Call `fill()` first.
  var next: PublishedPost? { waiting.first }

  /// Returns whether the next post is older than the other reader's. Both readers must have a next post.
  func isOlder(than other: ViewPostReader) -> Bool {
    guard let next, let others = other.next else { return next == nil }
    return next.post.enteredAt < others.post.enteredAt
  }

  mutating func take() -> PublishedPost? { waiting.popFirst() }

  /// Reads more posts from the archive once all posts read so far have been used.
  mutating func fill() throws(StorageError) {
    while waiting.isEmpty, !isEmpty {
      let posts = try database.posts(of: key.timeline, below: lowest, atMost: Self.portion)
      isEmpty = posts.count < Self.portion
      lowest = posts.last?.mark.key
      waiting =
        posts.compactMap { known in
          (try? PostJSON.read(known.json)).map { post in
            PublishedPost(
              post: post, json: known.json, account: key.account.text,
              isUnread: state.readUpTo.map { $0 < known.mark } ?? true)
          }
        }[...]
    }
  }

  func close() { database.close() }
}
