internal import COpenSSL

/// HMAC with a fixed key. The initial hash state is computed once (`EVP_MAC(3)`).
///
/// Computing a code then takes little more time than hashing its message. OpenSSL erases the key when the state is freed. The state is not
/// thread-safe.
@safe package struct HMACState: ~Copyable {
  package enum Hash: Sendable {
    case sha1
    case sha256
    case sha512

    /// OpenSSL's name for the hash function.
    fileprivate var name: String {
      switch self {
      case .sha1: "SHA1"
      case .sha256: "SHA256"
      case .sha512: "SHA512"
      }
    }
  }

  /// A buffer large enough for any hash function's code (`EVP_MAX_MD_SIZE`).
  typealias Code = InlineArray<64, UInt8>

  private let context: OpaquePointer

  /// - Throws: ``CryptographyError`` if OpenSSL fails, for example because a policy forbids SHA-1.
  init(_ hash: Hash, key: [UInt8]) throws(CryptographyError) {
    unsafe context = try Self.makeContext(hash, key: key)
  }

  deinit {
    unsafe EVP_MAC_CTX_free(context)
  }

  /// Writes the authentication code of `message`.
  ///
  /// - Returns: the length of the code in bytes.
  mutating func writeCode(
    of message: UnsafeBufferPointer<UInt8>, to code: inout Code
  ) throws(CryptographyError) -> Int {
    var count = 0
    var span = code.mutableSpan
    let isComputed = unsafe span.withUnsafeMutableBufferPointer { code in
      // Without a key and parameters, this call restarts the computation with the current key and parameters.
      unsafe EVP_MAC_init(context, nil, 0, nil) == 1
        && EVP_MAC_update(context, message.baseAddress, message.count) == 1
        && EVP_MAC_final(context, code.baseAddress, &count, code.count) == 1
    }
    guard isComputed else { throw .last(from: "EVP_MAC") }
    return count
  }

  private static func makeContext(_ hash: Hash, key: [UInt8]) throws(CryptographyError) -> OpaquePointer {
    ERR_clear_error()
    let algorithm = unsafe EVP_MAC_fetch(nil, "HMAC", nil)
    // The context keeps its own reference to the algorithm.
    defer { unsafe EVP_MAC_free(algorithm) }
    guard let context = unsafe EVP_MAC_CTX_new(algorithm) else { throw .last(from: "EVP_MAC_CTX_new") }
    guard unsafe copenssl_begin_hmac(context, hash.name, key, key.count) == 1 else {
      defer { unsafe EVP_MAC_CTX_free(context) }
      throw .last(from: "EVP_MAC_init")
    }
    return unsafe context
  }
}

/// Computes the HMAC of individual messages.
package enum HMAC {
  /// Returns the authentication code of `message`.
  package static func code(
    _ hash: HMACState.Hash, key: [UInt8], message: [UInt8]
  ) throws(CryptographyError) -> [UInt8] {
    var state = try HMACState(hash, key: key)
    var code = HMACState.Code(repeating: 0)
    let count = unsafe try message.span.withUnsafeBufferPointer { (message) throws(CryptographyError) in
      unsafe try state.writeCode(of: message, to: &code)
    }
    return (0..<count).map { code[$0] }
  }
}

/// OpenSSL's libcrypto.
package enum CryptographyLibrary {
  /// The name and version (`OpenSSL_version(3)`), such as `OpenSSL 3.0.17`.
  package static var version: String {
    let text = unsafe String(cString: OpenSSL_version(OPENSSL_VERSION))
    return text.split(separator: " ").prefix(2).joined(separator: " ")
  }
}

/// SHA-256, computed by OpenSSL (`EVP_Digest(3)`).
package enum SHA256 {
  /// Returns the 32-byte hash of a message.
  package static func digest(of message: [UInt8]) throws(CryptographyError) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    ERR_clear_error()
    guard unsafe EVP_Digest(message, message.count, &digest, nil, EVP_sha256(), nil) == 1 else {
      throw .last(from: "EVP_Digest")
    }
    return digest
  }
}

/// Cryptographically secure random bytes.
package enum RandomBytes {
  /// Returns bytes from `RAND_bytes(3)`.
  ///
  /// - Throws: ``CryptographyError`` if the random generator fails. There is no fallback.
  package static func generate(_ count: Int) throws(CryptographyError) -> [UInt8] {
    try generate(count) { bytes in
      ERR_clear_error()
      return unsafe RAND_bytes(&bytes, Int32(bytes.count))
    }
  }

  /// Returns bytes from a given random generator, which fills the array and returns 1 on success.
  static func generate(
    _ count: Int, filledBy fill: (inout [UInt8]) -> Int32
  ) throws(CryptographyError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    guard fill(&bytes) == 1 else { throw .last(from: "RAND_bytes") }
    return bytes
  }
}

/// Returns whether two byte strings are equal. The time taken depends only on their lengths (`CRYPTO_memcmp(3)`).
///
/// Use this function to compare signatures, tokens and verifiers. A comparison that stops at the first difference would reveal how much of
/// a guess is right.
public func equalInConstantTime(_ left: [UInt8], _ right: [UInt8]) -> Bool {
  guard left.count == right.count else { return false }
  return unsafe CRYPTO_memcmp(left, right, left.count) == 0
}

/// Returns whether two strings have equal UTF-8 bytes. The time taken depends only on their lengths.
///
/// Unlike `==` on `String`, this function does not treat canonically equivalent characters as equal.
public func equalInConstantTime(_ left: String, _ right: String) -> Bool {
  equalInConstantTime(Array(left.utf8), Array(right.utf8))
}

/// An error from the cryptography library, for example because a policy forbids the algorithm or the random generator failed.
public struct CryptographyError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The function that failed, and the library's reason.
  public let description: String

  private init(description: String) { self.description = description }

  /// Creates an error for a function outside this module, and empties the library's error queue.
  package init(_ description: String) {
    ERR_clear_error()
    self.init(description: description)
  }

  /// Returns the oldest error in the library's queue, and empties the queue (`ERR_get_error(3)`).
  package static func last(from function: String) -> CryptographyError {
    let code = ERR_get_error()
    ERR_clear_error()
    guard code != 0, let reason = unsafe ERR_reason_error_string(code) else {
      return CryptographyError(description: "\(function) failed.")
    }
    return CryptographyError(description: unsafe "\(function) failed: \(String(cString: reason)).")
  }
}
