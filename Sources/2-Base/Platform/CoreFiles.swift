internal import Glibc

/// The core files that the kernel writes when a signal ends a process (core(5)).
package enum CoreFiles {
  /// Prevents this process and its children from leaving core files and from passing their memory to a program that collects cores.
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
