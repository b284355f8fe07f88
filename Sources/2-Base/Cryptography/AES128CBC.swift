internal import COpenSSL

/// AES-128 in Cipher Block Chaining mode with PKCS #7 padding. The Secret Service API encrypts secrets on the bus with it.
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
