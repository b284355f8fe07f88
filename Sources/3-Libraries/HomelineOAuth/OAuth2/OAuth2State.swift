internal import Bytes
public import Cryptography

/// The `state` that ties a redirect to its login, so that other users' codes are refused (RFC 6749 §10.12).
public enum OAuth2State {
  /// Creates a state of 192 random bits, written as 32 characters from `A-Z a-z 0-9 - _`, which need no encoding.
  ///
  /// - Throws: ``CryptographyError`` if the random generator fails.
  public static func random() throws(CryptographyError) -> String {
    Base64URL.encode(try RandomBytes.generate(24))
  }
}
