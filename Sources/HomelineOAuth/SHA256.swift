internal import COpenSSL

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
