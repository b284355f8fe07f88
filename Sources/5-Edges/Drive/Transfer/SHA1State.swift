internal import Bytes
internal import COpenSSL
package import Cryptography

/// A SHA-1 hash computed piece by piece (`EVP_DigestUpdate(3)`). Gokuai identifies the content of a file by its SHA-1. The state is not
/// thread-safe.
@safe package struct SHA1State: ~Copyable {
  private let context: OpaquePointer

  /// - Throws: ``CryptographyError`` if a policy forbids SHA-1.
  package init() throws(CryptographyError) { unsafe context = try Self.makeContext() }

  deinit { unsafe EVP_MD_CTX_free(context) }

  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    // This call fails only if the state was not initialised.
    _ = unsafe EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
  }

  package mutating func update(_ bytes: [UInt8]) { unsafe bytes.withUnsafeBytes { unsafe update($0) } }

  /// Returns the hash as 40 lower-case hexadecimal digits.
  package consuming func finish() -> String {
    var digest = [UInt8](repeating: 0, count: 20)
    _ = unsafe EVP_DigestFinal_ex(context, &digest, nil)
    return Hexadecimal.text(digest)
  }

  private static func makeContext() throws(CryptographyError) -> OpaquePointer {
    guard let context = unsafe EVP_MD_CTX_new() else { throw CryptographyError("EVP_MD_CTX_new failed.") }
    guard unsafe EVP_DigestInit_ex(context, EVP_sha1(), nil) == 1 else {
      unsafe EVP_MD_CTX_free(context)
      throw CryptographyError("EVP_DigestInit_ex failed: SHA-1 is not available.")
    }
    return unsafe context
  }
}
