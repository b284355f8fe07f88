internal import Bytes
internal import HomelineOAuth

/// Random strings for codes and tokens.
enum RandomText {
  /// Returns bytes from the kernel's random source, as base64url.
  static func token(bytes count: Int = 24) -> String {
    Base64URL.encode((0..<count).map { _ in UInt8.random(in: .min ... .max) })
  }

  /// Returns eight letters for the user to type, without vowels or digits (RFC 8628 §6.1): `WDJB-MJHT`.
  static func userCode() -> String {
    let letters = (0..<8).map { _ in "BCDFGHJKLMNPQRSTVWXZ".randomElement()! }
    return String(letters[..<4]) + "-" + String(letters[4...])
  }
}
