internal import HomelineOAuth

/// Codes and tokens: letters of which nobody can guess another one's.
enum RandomText {
  /// From the kernel's random source, in the alphabet of base64url.
  static func token(bytes count: Int = 24) -> String {
    Base64URL.encode((0..<count).map { _ in UInt8.random(in: .min ... .max) })
  }

  /// Eight letters to be typed, without vowels and digits (RFC 8628 §6.1): `WDJB-MJHT`.
  static func userCode() -> String {
    let letters = (0..<8).map { _ in "BCDFGHJKLMNPQRSTVWXZ".randomElement()! }
    return String(letters[..<4]) + "-" + String(letters[4...])
  }
}
