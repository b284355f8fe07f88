internal import CCurl
internal import Platform

/// libcurl itself, which is not there before somebody is asked.
enum CurlLibrary {
  /// One thread at a time loads it.
  private static let isLoaded = Locked(false)

  /// Loads it and sets it up, unless that was done (`dlopen(3)`, `curl_global_init(3)`). It takes some milliseconds: it brings
  /// dozens of libraries with it.
  /// - Returns: why it cannot be used; nil when it can.
  static func start() -> String? {
    isLoaded.withLock { isLoaded in
      guard !isLoaded, let failure = unsafe ccurl_start() else {
        isLoaded = true
        return nil
      }
      let words = unsafe String(cString: failure)
      return "libcurl cannot be used: \(words); install the package libcurl4, or what your system calls it"
    }
  }
}
