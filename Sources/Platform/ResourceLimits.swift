internal import CLinux
internal import Glibc

/// The core files that the kernel writes when a signal ends a process (core(5)).
package enum CoreFiles {
  /// Prevents this process, and those that it starts, from leaving a core file, and from passing their memory to a program that collects
  /// cores.
  ///
  /// A limit of 0 (`RLIMIT_CORE`, getrlimit(2)) keeps the kernel from writing a file. It has no effect if `core_pattern` specifies a
  /// program, such as systemd-coredump or apport, which receives the core regardless of the limit. Therefore memory is also excluded
  /// from the core (`/proc/self/coredump_filter`): only the processor's registers and the names of loaded files remain. The process
  /// stays dumpable (`PR_SET_DUMPABLE`, prctl(2)). Otherwise its files in `/proc`, which users inspect to see what it is doing, would
  /// belong to root.
  package static func forbid() {
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    // If the file is missing, the kernel does not support cores at all.
    try? Descriptor.open("/proc/self/coredump_filter", O_WRONLY).write(Array("0".utf8))
  }
}

/// The number of files that this process may have open (`RLIMIT_NOFILE`, getrlimit(2)).
package enum OpenFileLimit {
  /// Raises the limit to the maximum that the system allows. The usual limit of 1024 is meant for programs that use select(2). A database
  /// needs three files, so a few hundred accounts would reach this limit.
  /// - Returns: the limit now in effect.
  @discardableResult
  package static func raise() -> UInt64 {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
    let former = limit.rlim_cur
    limit.rlim_cur = limit.rlim_max
    return unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
      ? UInt64(limit.rlim_cur) : UInt64(former)
  }
}

/// The memory that a process would keep unnecessarily while it runs for weeks.
package enum IdleMemory {
  /// Makes all threads allocate from one heap (`mallopt(3)`, `M_ARENA_MAX`). Call this before there are several heaps.
  ///
  /// Otherwise, each Dispatch thread uses its own heap, and the work for an account fragments all of them. With one heap, simultaneous
  /// allocations wait for each other for a few hundred nanoseconds.
  package static func shareHeap() { clinux_share_heap() }

  /// Returns free memory to the system: the memory that the allocator keeps (`malloc_trim(3)`), and the pages of the program's own code,
  /// which are read from its files again when they are executed (`madvise(2)`, `MADV_DONTNEED` on read-only mappings).
  ///
  /// A service that waits for hours needs little of the code that its last refresh executed, but the kernel would count this code as used
  /// memory until memory is short. A few hundred page faults load it again. The call takes about a millisecond. Any thread may make it.
  package static func giveBack() { clinux_give_back_memory() }
}
