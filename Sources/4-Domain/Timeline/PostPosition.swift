/// The id and key of one post, which delimit spans and requests.
package struct PostPosition: Sendable, Hashable, Comparable {
  package let id: PostID
  package let key: PostKey

  package init(id: PostID, key: PostKey) {
    self.id = id
    self.key = key
  }

  package static func < (left: PostPosition, right: PostPosition) -> Bool { left.key < right.key }
}
