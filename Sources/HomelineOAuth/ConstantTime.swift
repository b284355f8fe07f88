internal import COpenSSL

/// Whether two byte strings are equal, in a time that depends on their lengths only (`CRYPTO_memcmp(3)`).
///
/// Compare signatures, tokens and verifiers with this: a comparison that stops at the first difference tells a patient
/// stranger how much of a guess was right.
public func equalInConstantTime(_ left: [UInt8], _ right: [UInt8]) -> Bool {
  guard left.count == right.count else { return false }
  return unsafe CRYPTO_memcmp(left, right, left.count) == 0
}

/// Whether two texts have the same UTF-8 bytes, in a time that depends on their lengths only.
///
/// Unlike `==` on `String` it keeps apart what Unicode calls canonically equivalent.
public func equalInConstantTime(_ left: String, _ right: String) -> Bool {
  equalInConstantTime(Array(left.utf8), Array(right.utf8))
}
