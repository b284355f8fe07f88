internal import CLinux

/// What a process that goes on for weeks would hold without need.
package enum IdleMemory {
  /// Has all threads take memory from one heap (`mallopt(3)`, `M_ARENA_MAX`), before there are several.
  ///
  /// Else each thread of Dispatch's fills a heap of its own with what it happens to do, and the work of an account leaves holes
  /// in all of them. What is done at the same time waits for each other a few hundred nanoseconds.
  package static func shareHeap() { clinux_share_heap() }

  /// Gives back to the system what the allocator keeps for later (`malloc_trim(3)`), and the program's own pages that are read
  /// from its files again when they are run (`madvise(2)`, `MADV_DONTNEED` on mappings that nobody can write).
  ///
  /// A service that waits for hours needs little of the code that its last refresh ran; the kernel would keep it counted as
  /// ours until memory is short. Some hundred page faults bring it back. It takes about a millisecond; from any thread.
  package static func giveBack() { clinux_give_back_memory() }
}
