internal import COpenSSL

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
