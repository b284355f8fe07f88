internal import CCurl
internal import Platform

/// The libcurl library, which is loaded on first use.
package enum CurlLibrary {
  /// The error thrown if libcurl cannot be loaded.
  package struct LoadError: Error, CustomStringConvertible {
    package let description: String
  }

  /// The version (`curl_version(3)`), such as `libcurl 7.88.1`. Reading it loads the library.
  package static var version: Result<String, LoadError> {
    if let message = start() { return .failure(LoadError(description: message)) }
    let text = unsafe String(cString: curl_version())
    return .success(String(text.prefix { $0 != " " }).replacing("/", with: " "))
  }

  /// Whether the library is loaded. The lock is held while a thread loads it.
  private static let isLoaded = Locked(false)

  /// Loads and initialises libcurl unless this has already been done (`dlopen(3)`, `curl_global_init(3)`). Loading takes a few
  /// milliseconds, because libcurl depends on dozens of libraries.
  /// - Returns: an error message; nil on success.
  static func start() -> String? {
    isLoaded.withLock { isLoaded in
      guard !isLoaded, let failure = unsafe ccurl_start() else {
        isLoaded = true
        return nil
      }
      let message = unsafe String(cString: failure)
      return "libcurl cannot be used: \(message); install the package libcurl4, or its equivalent on your system"
    }
  }
}
