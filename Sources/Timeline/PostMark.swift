/// One post's name and place together: what spans and requests are bounded by.
package struct PostMark: Sendable, Hashable, Comparable {
  package let id: PostID
  package let key: PostKey

  package init(id: PostID, key: PostKey) {
    self.id = id
    self.key = key
  }

  package static func < (left: PostMark, right: PostMark) -> Bool { left.key < right.key }
}
