internal import CLinux
internal import Glibc

/// What the kernel writes of a process that a signal ends (core(5)).
package enum CoreFiles {
  /// Has this process, and those that it starts, leave no core file, and nothing of their memory to a program that takes cores.
  ///
  /// A limit of 0 (`RLIMIT_CORE`, getrlimit(2)) keeps the kernel from writing a file. It does not count where `core_pattern` names a
  /// program, such as systemd-coredump or apport: that gets the core whatever the limit. So what a core holds is set to nothing as
  /// well (`/proc/self/coredump_filter`); what is left is the processor's registers and the names of loaded files. The process stays
  /// dumpable (`PR_SET_DUMPABLE`, prctl(2)): otherwise its files in `/proc` would be root's, by which users find out what it does.
  package static func forbid() {
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    // Without the file the kernel has no cores at all.
    try? Descriptor.open("/proc/self/coredump_filter", O_WRONLY).write(Array("0".utf8))
  }
}

/// How many files this process may have open (`RLIMIT_NOFILE`, getrlimit(2)).
package enum OpenFileLimit {
  /// Raises the limit to what the system allows at most. The usual 1024 is there for programs that use select(2); a database takes
  /// three files, so a few hundred accounts would come to it.
  /// - Returns: what holds now.
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
