internal import COpenSSL

/// The hashes that identify paths and contents.
enum SandboxHash {
  /// Returns the SHA-1 in lower-case hexadecimal digits.
  static func sha1(_ bytes: [UInt8]) -> String {
    var digest = [UInt8](repeating: 0, count: 20)
    let isComputed = unsafe EVP_Digest(bytes, bytes.count, &digest, nil, EVP_sha1(), nil) == 1
    precondition(isComputed, "SHA-1 is not available")
    return digest.map { String(UInt16($0) | 0x100, radix: 16).dropFirst() }.joined()
  }
}
