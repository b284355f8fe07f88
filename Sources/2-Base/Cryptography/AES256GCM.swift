internal import COpenSSL

/// AES-256 in Galois/Counter Mode (NIST SP 800-38D), which encrypts and authenticates (EVP_EncryptInit(3)).
package enum AES256GCM {
  package static let keySize = 32
  /// The size of a nonce in bytes, 96 bits (§8.2.1).
  package static let nonceSize = 12
  /// The size of a tag in bytes.
  package static let tagSize = 16

  /// Encrypts a message.
  /// - Parameters:
  ///   - nonce: a value that is different for each message encrypted with the same key.
  ///   - data: associated data, which is authenticated but not part of the result.
  /// - Returns: the ciphertext, followed by the tag.
  package static func seal(
    _ message: [UInt8], key: [UInt8], nonce: [UInt8], authenticating data: [UInt8]
  ) throws(CryptographyError) -> [UInt8] {
    precondition(key.count == keySize && nonce.count == nonceSize, "the key or the nonce has the wrong size")
    let context = try CipherContext()
    try unsafe context.begin(EVP_aes_256_gcm(), key: key, nonce: nonce, encrypts: true)
    try context.authenticate(data)
    let sealed = try context.run(message)
    var tag = [UInt8](repeating: 0, count: tagSize)
    guard unsafe EVP_CIPHER_CTX_ctrl(context.pointer, EVP_CTRL_AEAD_GET_TAG, Int32(tagSize), &tag) == 1 else {
      throw .last(from: "EVP_CIPHER_CTX_ctrl")
    }
    return sealed + tag
  }

  /// Decrypts a message.
  /// - Throws: ``CryptographyError`` if the ciphertext, the data, the nonce or the key differs from that in the call to `seal`.
  package static func open(
    _ sealed: [UInt8], key: [UInt8], nonce: [UInt8], authenticating data: [UInt8]
  ) throws(CryptographyError) -> [UInt8] {
    guard key.count == keySize, nonce.count == nonceSize, sealed.count >= tagSize else {
      throw .last(from: "EVP_DecryptInit_ex")
    }
    let context = try CipherContext()
    try unsafe context.begin(EVP_aes_256_gcm(), key: key, nonce: nonce, encrypts: false)
    try context.authenticate(data)
    var tag = Array(sealed.suffix(tagSize))
    guard unsafe EVP_CIPHER_CTX_ctrl(context.pointer, EVP_CTRL_AEAD_SET_TAG, Int32(tagSize), &tag) == 1 else {
      throw .last(from: "EVP_CIPHER_CTX_ctrl")
    }
    return try context.run(Array(sealed.dropLast(tagSize)))
  }
}
