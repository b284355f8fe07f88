internal import Bytes
internal import COpenSSL
internal import Cryptography

/// The encryption of secrets on the bus, between this program and the keyring (Secret Service API, "Transfer of Secrets").
struct SecretSession {
  /// The path of the object that represents the session in the keyring.
  let path: String
  /// The session key.
  let key: [UInt8]

  static let encrypted = "dh-ietf1024-sha256-aes128-cbc-pkcs7"

  /// Returns a secret's parameters and value as they are sent on the bus.
  func encoded(_ secret: Secret) throws(CryptographyError) -> (parameters: [UInt8], value: [UInt8]) {
    let nonce = try RandomBytes.generate(AES128CBC.nonceSize)
    let value = try secret.withExposed { bytes throws(CryptographyError) in
      try AES128CBC.encrypt(bytes, key: key, nonce: nonce)
    }
    return (nonce, value)
  }

  func decoded(_ value: [UInt8], parameters: [UInt8]) throws(CryptographyError) -> Secret {
    return Secret(bytes: try AES128CBC.decrypt(value, key: key, nonce: parameters))
  }
}

/// An OpenSSL number, which is erased when it is freed. If no memory is left, the pointer is null and the calculation fails.
@safe struct BigNumber: ~Copyable {
  let pointer: OpaquePointer?

  init(_ bytes: [UInt8]) { unsafe pointer = BN_bin2bn(bytes, Int32(bytes.count), nil) }

  private init(owning pointer: OpaquePointer?) { unsafe self.pointer = unsafe pointer }

  /// The prime of the Second Oakley Group.
  static var prime: BigNumber { unsafe BigNumber(owning: BN_get_rfc2409_prime_1024(nil)) }

  deinit { unsafe BN_clear_free(pointer) }
}
