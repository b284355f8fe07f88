internal import COpenSSL
internal import Ciphers
internal import Glibc
internal import HomelineOAuth

/// The encryption of secrets on the bus, between this program and the keyring (Secret Service API, "Transfer of Secrets").
struct SecretSession {
  /// The path of the object that represents the session in the keyring.
  let path: String
  /// The session key; `nil` if the keyring does not support encryption (algorithm `plain`).
  let key: [UInt8]?

  static let encrypted = "dh-ietf1024-sha256-aes128-cbc-pkcs7"
  static let plain = "plain"

  /// Returns a secret's parameters and value as they are sent on the bus.
  func encoded(_ secret: Secret) throws(CryptographyError) -> (parameters: [UInt8], value: [UInt8]) {
    guard let key else { return ([], secret.withExposed { $0 }) }
    let nonce = try RandomBytes.generate(AES128CBC.nonceSize)
    let value = try secret.withExposed { bytes throws(CryptographyError) in
      try AES128CBC.encrypt(bytes, key: key, nonce: nonce)
    }
    return (nonce, value)
  }

  func decoded(_ value: [UInt8], parameters: [UInt8]) throws(CryptographyError) -> Secret {
    guard let key else { return Secret(bytes: value) }
    return Secret(bytes: try AES128CBC.decrypt(value, key: key, nonce: parameters))
  }
}

/// A Diffie-Hellman exchange in the Second Oakley Group (RFC 2409 §6.2), from which both sides derive the key of a session.
struct DiffieHellman {
  /// The size of the prime in bytes.
  private static let size = 128

  /// This side's public value, which is sent to the peer.
  let publicKey: [UInt8]
  private let privateKey: [UInt8]

  init() throws(CryptographyError) {
    let privateKey = try RandomBytes.generate(Self.size)
    self.privateKey = privateKey
    publicKey = try Self.power(of: [2], privateKey)
  }

  /// Derives the session's key from the peer's public value, with HKDF (RFC 5869) using SHA-256 and neither salt nor info.
  /// - Returns: the key; `nil` if the peer's value is not in the group, or would reveal the key.
  func sessionKey(with peer: [UInt8]) throws(CryptographyError) -> [UInt8]? {
    guard peer.count <= Self.size, try Self.isUsable(peer) else { return nil }
    let shared = try Self.power(of: peer, privateKey)
    let extracted = try Self.hmac(key: [UInt8](repeating: 0, count: 32), shared)
    return Array(try Self.hmac(key: extracted, [1]).prefix(AES128CBC.keySize))
  }

  private static func hmac(key: [UInt8], _ message: [UInt8]) throws(CryptographyError) -> [UInt8] {
    var code = [UInt8](repeating: 0, count: 32)
    var count: UInt32 = 0
    guard
      unsafe HMAC(EVP_sha256(), key, Int32(key.count), message, message.count, &code, &count) != nil, count == 32
    else { throw .last(from: "HMAC") }
    return code
  }

  /// Returns `base` to the power of `exponent` modulo the prime, with leading zeros.
  private static func power(of base: [UInt8], _ exponent: [UInt8]) throws(CryptographyError) -> [UInt8] {
    ERR_clear_error()
    let base = BigNumber(base)
    let exponent = BigNumber(exponent)
    let result = BigNumber([])
    let prime = BigNumber.prime
    let context = unsafe BN_CTX_new()
    defer { unsafe BN_CTX_free(context) }
    var bytes = [UInt8](repeating: 0, count: size)
    guard
      unsafe BN_mod_exp_mont_consttime(
        result.pointer, base.pointer, exponent.pointer, prime.pointer, context, nil) == 1,
      unsafe BN_bn2binpad(result.pointer, &bytes, Int32(size)) == Int32(size)
    else { throw .last(from: "BN_mod_exp") }
    return bytes
  }

  /// Returns whether a public value is between 2 and the prime minus 2.
  private static func isUsable(_ value: [UInt8]) throws(CryptographyError) -> Bool {
    let number = BigNumber(value)
    let greatest = BigNumber.prime
    guard unsafe BN_sub_word(greatest.pointer, 1) == 1 else { throw .last(from: "BN_sub_word") }
    return unsafe BN_is_zero(number.pointer) == 0 && BN_is_one(number.pointer) == 0
      && BN_cmp(number.pointer, greatest.pointer) < 0
  }
}

/// An OpenSSL number, which is erased when it is freed. If no memory is left, the pointer is null and the calculation fails.
@safe private struct BigNumber: ~Copyable {
  let pointer: OpaquePointer?

  init(_ bytes: [UInt8]) { unsafe pointer = BN_bin2bn(bytes, Int32(bytes.count), nil) }

  private init(owning pointer: OpaquePointer?) { unsafe self.pointer = unsafe pointer }

  /// The prime of the Second Oakley Group.
  static var prime: BigNumber { unsafe BigNumber(owning: BN_get_rfc2409_prime_1024(nil)) }

  deinit { unsafe BN_clear_free(pointer) }
}
