internal import COpenSSL

/// The state of an encryption or a decryption. OpenSSL erases the key when the state is freed.
@safe struct CipherContext: ~Copyable {
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
