internal import COpenSSL

/// HMAC under one key, which is worked into the hash once and kept (`EVP_MAC(3)`).
///
/// A code then costs the hash of its message and little more. OpenSSL wipes the key when the state is freed. Not to be used by two threads at once.
@safe struct HMACState: ~Copyable {
  enum Hash {
    case sha1
    case sha256
    case sha512

    /// As OpenSSL knows it.
    fileprivate var name: String {
      switch self {
      case .sha1: "SHA1"
      case .sha256: "SHA256"
      case .sha512: "SHA512"
      }
    }
  }

  /// Room for a code of any of the hashes (`EVP_MAX_MD_SIZE`).
  typealias Code = InlineArray<64, UInt8>

  private let context: OpaquePointer

  /// - Throws: ``CryptographyError`` when OpenSSL refuses, as it does for SHA-1 under some policies.
  init(_ hash: Hash, key: [UInt8]) throws(CryptographyError) {
    unsafe context = try Self.makeContext(hash, key: key)
  }

  deinit {
    unsafe EVP_MAC_CTX_free(context)
  }

  /// Writes the code of `message`.
  ///
  /// - Returns: how many bytes it has.
  mutating func writeCode(
    of message: UnsafeBufferPointer<UInt8>, to code: inout Code
  ) throws(CryptographyError) -> Int {
    var count = 0
    var room = code.mutableSpan
    let isMade = unsafe room.withUnsafeMutableBufferPointer { code in
      // No key and no parameters: begin anew with those that are there.
      unsafe EVP_MAC_init(context, nil, 0, nil) == 1
        && EVP_MAC_update(context, message.baseAddress, message.count) == 1
        && EVP_MAC_final(context, code.baseAddress, &count, code.count) == 1
    }
    guard isMade else { throw .taken(after: "EVP_MAC") }
    return count
  }

  private static func makeContext(_ hash: Hash, key: [UInt8]) throws(CryptographyError) -> OpaquePointer {
    ERR_clear_error()
    let algorithm = unsafe EVP_MAC_fetch(nil, "HMAC", nil)
    // The context holds the algorithm from here on.
    defer { unsafe EVP_MAC_free(algorithm) }
    guard let context = unsafe EVP_MAC_CTX_new(algorithm) else { throw .taken(after: "EVP_MAC_CTX_new") }
    guard unsafe copenssl_begin_hmac(context, hash.name, key, key.count) == 1 else {
      defer { unsafe EVP_MAC_CTX_free(context) }
      throw .taken(after: "EVP_MAC_init")
    }
    return unsafe context
  }
}

/// HMAC of single messages, each under a key of its own.
enum HMAC {
  /// The authentication code of `message`.
  static func code(_ hash: HMACState.Hash, key: [UInt8], message: [UInt8]) throws(CryptographyError) -> [UInt8] {
    var state = try HMACState(hash, key: key)
    var code = HMACState.Code(repeating: 0)
    let count = unsafe try message.span.withUnsafeBufferPointer { (message) throws(CryptographyError) in
      unsafe try state.writeCode(of: message, to: &code)
    }
    return (0..<count).map { code[$0] }
  }
}

/// SHA-256 through OpenSSL (`EVP_Digest(3)`).
package enum SHA256 {
  /// The 32 bytes that a message hashes to.
  package static func digest(of message: [UInt8]) throws(CryptographyError) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    ERR_clear_error()
    guard unsafe EVP_Digest(message, message.count, &digest, nil, EVP_sha256(), nil) == 1 else {
      throw .taken(after: "EVP_Digest")
    }
    return digest
  }
}

/// Bytes that nobody can guess.
enum RandomBytes {
  /// Draws them from `RAND_bytes(3)`.
  ///
  /// - Throws: ``CryptographyError`` when the source has nothing to give. There is no second source.
  static func draw(_ count: Int) throws(CryptographyError) -> [UInt8] {
    try draw(count) { bytes in
      ERR_clear_error()
      return unsafe RAND_bytes(&bytes, Int32(bytes.count))
    }
  }

  /// The same from a given source, which fills the bytes and returns 1, or anything else when it could not.
  static func draw(
    _ count: Int, filledBy fill: (inout [UInt8]) -> Int32
  ) throws(CryptographyError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    guard fill(&bytes) == 1 else { throw .taken(after: "RAND_bytes") }
    return bytes
  }
}

/// Whether two byte strings are equal, in a time that depends on their lengths only (`CRYPTO_memcmp(3)`).
///
/// Compare signatures, tokens and verifiers with this: a comparison that stops at the first difference tells a patient
/// stranger how much of a guess was right.
public func equalInConstantTime(_ left: [UInt8], _ right: [UInt8]) -> Bool {
  guard left.count == right.count else { return false }
  return unsafe CRYPTO_memcmp(left, right, left.count) == 0
}

/// Whether two texts have the same UTF-8 bytes, in a time that depends on their lengths only.
///
/// Unlike `==` on `String` it keeps apart what Unicode calls canonically equivalent.
public func equalInConstantTime(_ left: String, _ right: String) -> Bool {
  equalInConstantTime(Array(left.utf8), Array(right.utf8))
}

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
