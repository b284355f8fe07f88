internal import COpenSSL

/// SHA-256 through OpenSSL (`EVP_Q_digest(3)`).
enum SHA256 {
  static func digest(_ message: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    var length = 0
    guard unsafe EVP_Q_digest(nil, "SHA256", nil, message, message.count, &digest, &length) == 1 else {
      preconditionFailure("the default provider of OpenSSL has SHA-256")
    }
    return digest
  }
}
