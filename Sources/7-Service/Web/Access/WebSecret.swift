internal import Bytes
internal import Cryptography

/// A random secret in an address or a cookie, as hexadecimal digits.
enum WebSecret {
  /// Returns a new secret.
  /// - Parameter bits: a multiple of 8.
  static func make(bits: Int) throws(CryptographyError) -> String {
    Hexadecimal.text(try RandomBytes.generate(bits / 8))
  }
}
