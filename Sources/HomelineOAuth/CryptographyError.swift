internal import COpenSSL

/// The cryptography library refused: its policy may forbid the algorithm, or its random source may be broken.
public struct CryptographyError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The function that failed, and what the library says of it.
  public let description: String

  /// Takes the library's oldest queued error, and empties the queue (`ERR_get_error(3)`).
  static func taken(after function: String) -> CryptographyError {
    let code = ERR_get_error()
    ERR_clear_error()
    guard code != 0, let reason = unsafe ERR_reason_error_string(code) else {
      return CryptographyError(description: "\(function) failed.")
    }
    return CryptographyError(description: unsafe "\(function) failed: \(String(cString: reason)).")
  }
}
