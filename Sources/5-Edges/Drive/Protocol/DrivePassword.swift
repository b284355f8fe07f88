package import Bytes
internal import COpenSSL
package import Cryptography

/// A password in the form that is sent to obtain a token. It is as sensitive as the password itself and must not be stored.
package enum DrivePassword {
  /// Returns the MD5 of the password in lower-case hexadecimal digits or, for a user name with a domain, the password in base64.
  /// - Throws: ``CryptographyError`` if a policy forbids MD5.
  package static func proof(_ password: Secret, of userName: String) throws(CryptographyError) -> Secret {
    if userName.contains("\\") || userName.contains("/") {
      return password.withExposed { Secret(Base64.encode($0)) }
    }
    return try password.withExposed { (password) throws(CryptographyError) in
      var digest = [UInt8](repeating: 0, count: 16)
      guard unsafe EVP_Digest(password, password.count, &digest, nil, EVP_md5(), nil) == 1 else {
        throw CryptographyError("EVP_Digest failed: MD5 is not available.")
      }
      return Secret(Hexadecimal.text(digest))
    }
  }
}
