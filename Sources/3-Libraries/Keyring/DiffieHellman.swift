internal import COpenSSL
internal import Cryptography

/// A Diffie-Hellman exchange in the Second Oakley Group (RFC 2409 §6.2). Both sides derive a session's key from it.
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
