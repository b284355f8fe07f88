internal import COpenSSL

/// OpenSSL's libcrypto.
package enum CryptographyLibrary {
  /// The name and version (`OpenSSL_version(3)`), such as `OpenSSL 3.0.17`.
  package static var version: String {
    let text = unsafe String(cString: OpenSSL_version(OPENSSL_VERSION))
    return text.split(separator: " ").prefix(2).joined(separator: " ")
  }
}
