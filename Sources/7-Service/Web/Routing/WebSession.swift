internal import Bytes
internal import Cryptography
internal import Time

/// A browser that has entered. Contains nothing secret.
struct WebSession: Sendable, Hashable {
  let hash: SecretHash
  let madeAt: Timestamp
}

/// The SHA-256 of a secret. It is stored in place of the secret, which has too many random bits to be found from it.
struct SecretHash: Sendable, Hashable {
  let bytes: [UInt8]

  init(of secret: String) throws(CryptographyError) { bytes = try SHA256.digest(of: Array(secret.utf8)) }

  /// Reads a stored hash; nil for anything but 64 hexadecimal digits.
  init?(text: String) {
    guard text.utf8.count == 64, let bytes = Hexadecimal.bytes(text), bytes.count == 32 else { return nil }
    self.bytes = bytes
  }

  var text: String { Hexadecimal.text(bytes) }

  /// The time of the comparison reveals nothing about the bytes.
  static func == (one: SecretHash, other: SecretHash) -> Bool { equalInConstantTime(one.bytes, other.bytes) }
}
