/// Counts the bytes of several transfers, for display. Any thread may use it.
package final class TransferProgress: Sendable {
  /// The counts at one moment.
  package struct Snapshot: Sendable, Hashable {
    /// The number of bytes that have been transferred, including those of earlier runs.
    package var done = 0
    package var total = 0
    package var filesDone = 0
    package var files = 0
    /// The number of bytes transferred in this run.
    package var moved = 0

    fileprivate init() {}
  }

  private struct Count {
    var done = 0
    var total = 0
    var isFinished = false
  }

  private struct State {
    var counts: [Count] = []
    var moved = 0
  }

  private let state = Locked(State())

  package init() {}

  /// One of the transferred files.
  package struct File: Sendable {
    fileprivate let progress: TransferProgress
    fileprivate let index: Int

    package func setTotal(_ size: Int) { progress.state.withLock { $0.counts[index].total = size } }

    /// Sets the number of bytes that have arrived, replacing the previous number.
    package func set(_ done: Int) { progress.state.withLock { $0.counts[index].done = done } }

    package func add(_ count: Int) {
      progress.state.withLock { state in
        state.counts[index].done += count
        state.moved += count
      }
    }

    package func finish() { progress.state.withLock { $0.counts[index].isFinished = true } }
  }

  /// Adds a file to the transfer.
  /// - Parameter size: the size in bytes, if already known.
  package func addFile(size: Int = 0) -> File {
    state.withLock { state in
      state.counts.append(Count(total: size))
      return File(progress: self, index: state.counts.count - 1)
    }
  }

  package var snapshot: Snapshot {
    state.withLock { state in
      var snapshot = Snapshot()
      snapshot.moved = state.moved
      snapshot.files = state.counts.count
      for count in state.counts {
        snapshot.done += count.done
        // A server can report any size for each of many files, so the sum could overflow.
        snapshot.total = count.total > .max - snapshot.total ? .max : snapshot.total + count.total
        if count.isFinished { snapshot.filesDone += 1 }
      }
      return snapshot
    }
  }
}
