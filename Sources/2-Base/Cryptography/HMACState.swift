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
  package typealias Code = InlineArray<64, UInt8>

  private let context: OpaquePointer

  /// - Throws: ``CryptographyError`` if OpenSSL fails, for example because a policy forbids SHA-1.
  package init(_ hash: Hash, key: [UInt8]) throws(CryptographyError) {
    unsafe context = try Self.makeContext(hash, key: key)
  }

  deinit {
    unsafe EVP_MAC_CTX_free(context)
  }

  /// Writes the authentication code of `message`.
  ///
  /// - Returns: the length of the code in bytes.
  package mutating func writeCode(
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
