internal import COpenSSL
package import HomelineOAuth

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

/// AES-128 in Cipher Block Chaining mode with PKCS #7 padding, with which the Secret Service API encrypts secrets on the bus.
package enum AES128CBC {
  package static let keySize = 16
  package static let nonceSize = 16

  package static func encrypt(_ message: [UInt8], key: [UInt8], nonce: [UInt8]) throws(CryptographyError) -> [UInt8] {
    try run(message, key: key, nonce: nonce, encrypts: true)
  }

  package static func decrypt(_ message: [UInt8], key: [UInt8], nonce: [UInt8]) throws(CryptographyError) -> [UInt8] {
    try run(message, key: key, nonce: nonce, encrypts: false)
  }

  private static func run(
    _ message: [UInt8], key: [UInt8], nonce: [UInt8], encrypts: Bool
  ) throws(CryptographyError) -> [UInt8] {
    guard key.count == keySize, nonce.count == nonceSize else { throw .last(from: "EVP_CipherInit_ex") }
    let context = try CipherContext()
    try unsafe context.begin(EVP_aes_128_cbc(), key: key, nonce: nonce, encrypts: encrypts)
    return try context.run(message)
  }
}

/// The state of an encryption or a decryption. OpenSSL erases the key when the state is freed.
@safe private struct CipherContext: ~Copyable {
  let pointer: OpaquePointer

  init() throws(CryptographyError) {
    ERR_clear_error()
    guard let made = unsafe EVP_CIPHER_CTX_new() else { throw .last(from: "EVP_CIPHER_CTX_new") }
    unsafe pointer = made
  }

  deinit { unsafe EVP_CIPHER_CTX_free(pointer) }

  func begin(_ cipher: OpaquePointer!, key: [UInt8], nonce: [UInt8], encrypts: Bool) throws(CryptographyError) {
    guard unsafe EVP_CipherInit_ex(pointer, cipher, nil, key, nonce, encrypts ? 1 : 0) == 1 else {
      throw .last(from: "EVP_CipherInit_ex")
    }
  }

  func authenticate(_ data: [UInt8]) throws(CryptographyError) {
    var count: Int32 = 0
    guard unsafe EVP_CipherUpdate(pointer, nil, &count, data, Int32(data.count)) == 1 else {
      throw .last(from: "EVP_CipherUpdate")
    }
  }

  func run(_ message: [UInt8]) throws(CryptographyError) -> [UInt8] {
    // Padding adds one block at most.
    var result = [UInt8](repeating: 0, count: message.count + 16)
    var (count, last): (Int32, Int32) = (0, 0)
    let isDone = unsafe result.withUnsafeMutableBufferPointer { result in
      unsafe EVP_CipherUpdate(pointer, result.baseAddress, &count, message, Int32(message.count)) == 1
        && EVP_CipherFinal_ex(pointer, result.baseAddress! + Int(count), &last) == 1
    }
    guard isDone else { throw .last(from: "EVP_CipherFinal_ex") }
    return Array(result.prefix(Int(count + last)))
  }
}
