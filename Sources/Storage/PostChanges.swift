package import Timeline

/// Which places of a timeline a transaction has changed.
package struct PostChanges: Sendable {
  /// A place, and how many posts are there more than before: 1, 0 where it is another one, or -1.
  package struct Place: Sendable {
    package let key: PostKey
    package let added: Int
  }

  package private(set) var places: [Place] = []
  /// Where posts were removed below which nothing is kept any more.
  package private(set) var ends: [PostKey] = []

  package var isEmpty: Bool { places.isEmpty && ends.isEmpty }

  package init() {}

  package mutating func note(_ key: PostKey, added: Int) { places.append(Place(key: key, added: added)) }
  package mutating func noteEnd(_ key: PostKey) { ends.append(key) }
}

/// Is told which posts of a timeline change. Belongs to the account's queue.
package protocol PostObserver: AnyObject {
  /// Called after each transaction that changes posts.
  func postsChanged(_ changes: PostChanges)
  /// Called when so much has changed that single places are not told.
  func allPostsChanged()
}
