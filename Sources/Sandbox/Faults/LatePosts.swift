/// Posts that appear later than their ids say, below newer ones: what a reader with `since_id` alone never sees.
package struct LatePosts: Sendable, Equatable {
  /// Each so-manieth post is late; at least 1.
  package let every: Int
  package let by: Duration

  package init(every: Int, by delay: Duration) {
    precondition(every >= 1, "every first post or rarer can be late")
    self.every = every
    self.by = delay
  }
}
