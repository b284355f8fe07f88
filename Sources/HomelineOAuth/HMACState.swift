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
