internal import COpenSSL

/// HMAC through OpenSSL (`HMAC(3)`).
enum HMAC {
  enum Hash {
    case sha1
    case sha256
    case sha512
  }

  /// The authentication code of `message`.
  static func code(_ hash: Hash, key: [UInt8], message: [UInt8]) throws(CryptographyError) -> [UInt8] {
    let algorithm =
      switch hash {
      case .sha1: unsafe EVP_sha1()
      case .sha256: unsafe EVP_sha256()
      case .sha512: unsafe EVP_sha512()
      }
    var code = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var length: UInt32 = 0
    ERR_clear_error()
    guard
      unsafe COpenSSL.HMAC(algorithm, key, Int32(key.count), message, message.count, &code, &length) != nil
    else { throw .taken(after: "HMAC") }
    return Array(code.prefix(Int(length)))
  }
}
