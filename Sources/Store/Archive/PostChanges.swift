internal import Timeline

/// Which places of a timeline a transaction has changed.
struct PostChanges: Sendable {
  /// A place, and how many posts are there more than before: 1, 0 where it is another one, or -1.
  struct Place: Sendable {
    let key: PostKey
    let added: Int
  }

  private(set) var places: [Place] = []
  /// Where posts were removed below which nothing is kept any more.
  private(set) var ends: [PostKey] = []

  mutating func note(_ key: PostKey, added: Int) { places.append(Place(key: key, added: added)) }
  mutating func noteEnd(_ key: PostKey) { ends.append(key) }
}
