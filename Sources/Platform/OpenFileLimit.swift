internal import Glibc

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
