/// A purge, which removes posts in portions. The store keeps a record of it until it has finished, so that the next state owner completes
/// an interrupted purge.
package struct PurgeRun: Sendable, Hashable {
  package let purge: Purge
  /// The number that identifies the purge in its store.
  package let number: Int64
  /// The progress, in steps defined by the store.
  package var progress: Progress
  /// The result so far in this process. It contains the pictures only once the purge has finished.
  package var purged: Purged
  package var hasEnded: Bool

  package struct Progress: Sendable, Hashable {
    package var done: Int
    package var of: Int

    package init(done: Int, of: Int) {
      self.done = done
      self.of = of
    }
  }

  package init(_ purge: Purge, number: Int64, progress: Progress, purged: Purged = Purged(), hasEnded: Bool = false) {
    self.purge = purge
    self.number = number
    self.progress = progress
    self.purged = purged
    self.hasEnded = hasEnded
  }
}
