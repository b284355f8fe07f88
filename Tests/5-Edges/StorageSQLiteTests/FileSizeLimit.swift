import Glibc

/// Limits the size of the files that this process writes. As on a full disk, writing fails at the limit, with EFBIG (`setrlimit(2)`).
func limitFileSize(to bytes: UInt) {
  signal(SIGXFSZ, SIG_IGN)
  var limit = rlimit(rlim_cur: bytes, rlim_max: bytes)
  guard setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else { fatalError("setrlimit: \(errno)") }
}
