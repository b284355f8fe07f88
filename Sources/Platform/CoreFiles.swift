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
