internal import Glibc

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
