internal import CLinux

/// Memory that a long-running process would keep unnecessarily.
package enum IdleMemory {
  /// Makes all threads allocate from one heap (`mallopt(3)`, `M_ARENA_MAX`). Call this before there are several heaps.
  ///
  /// Otherwise, each Dispatch thread has its own heap, and an account's work fragments all of them. With a single heap, simultaneous
  /// allocations wait a few hundred nanoseconds for each other.
  package static func shareHeap() { clinux_share_heap() }

  /// Returns free memory to the system: the memory that the allocator keeps (`malloc_trim(3)`), and the pages of the program's own code,
  /// which are read from its files again when they are executed (`madvise(2)`, `MADV_DONTNEED` on read-only mappings).
  ///
  /// A service that waits for hours needs little of the code that its last refresh ran, but the kernel counts that code as used memory
  /// until memory runs short. A few hundred page faults load it again. The call takes about a millisecond. Any thread may make it.
  package static func giveBack() { clinux_give_back_memory() }
}
