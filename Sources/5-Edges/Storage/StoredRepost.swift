package import Timeline

/// A stored repost, with the provider's JSON that shows what it reposts.
package struct StoredRepost: Sendable, Hashable {
  package let mark: PostPosition
  package let source: [UInt8]

  package init(mark: PostPosition, source: [UInt8]) {
    self.mark = mark
    self.source = source
  }
}
