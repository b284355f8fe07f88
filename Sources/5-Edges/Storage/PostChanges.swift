package import Timeline

/// The positions in a timeline where a transaction changed posts.
package struct PostChanges: Sendable {
  /// A changed position, and how the number of posts there changed: 1 if added, 0 if modified, -1 if removed.
  package struct Place: Sendable {
    package let key: PostKey
    package let added: Int
  }

  package private(set) var places: [Place] = []
  /// The positions of posts removed at the older end. No posts below them are stored.
  package private(set) var ends: [PostKey] = []

  package var isEmpty: Bool { places.isEmpty && ends.isEmpty }

  package init() {}

  package mutating func note(_ key: PostKey, added: Int) { places.append(Place(key: key, added: added)) }
  package mutating func noteEnd(_ key: PostKey) { ends.append(key) }
}
