import Glibc

/// Limits the size of files that this process writes, like a full disk: writing beyond it fails with EFBIG (`setrlimit(2)`).
func limitFileSize(to bytes: UInt) {
  signal(SIGXFSZ, SIG_IGN)
  var limit = rlimit(rlim_cur: bytes, rlim_max: bytes)
  guard setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else { fatalError("setrlimit: \(errno)") }
}
