internal import COpenSSL

/// An error from the cryptography library, for example because a policy forbids the algorithm or the random generator failed.
public struct CryptographyError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The function that failed, and the library's reason.
  public let description: String

  private init(description: String) { self.description = description }

  /// Creates an error for a function outside this module and empties the library's error queue.
  package init(_ description: String) {
    ERR_clear_error()
    self.init(description: description)
  }

  /// Returns the oldest error in the library's queue and empties the queue (`ERR_get_error(3)`).
  package static func last(from function: String) -> CryptographyError {
    let code = ERR_get_error()
    ERR_clear_error()
    guard code != 0, let reason = unsafe ERR_reason_error_string(code) else {
      return CryptographyError(description: "\(function) failed.")
    }
    return CryptographyError(description: unsafe "\(function) failed: \(String(cString: reason)).")
  }
}
