internal import Bytes
public import Cryptography
public import OAuthValues

/// A secret. With it, a client proves to the token endpoint that the code was issued to it (PKCE, RFC 7636).
///
/// Create a new verifier for each login. Send its ``challenge`` with the authorisation request, and the verifier with the code. Only S256
/// is supported: a client that can use S256 must use it (§4.2), and a fallback to `plain` would allow downgrade attacks.
public struct CodeVerifier: Sendable, Hashable {
  /// The verifier, which consists of 43 to 128 of the characters `A-Z a-z 0-9 - . _ ~` (§4.1).
  public let secret: OAuth.Secret
  /// The S256 challenge: the SHA-256 of the verifier, in base64url without padding, 43 characters long (§4.2).
  public let challenge: String

  /// Creates a verifier of 32 random bytes, written as 43 characters of base64url.
  ///
  /// - Throws: ``CryptographyError`` if the random generator or SHA-256 fails.
  public static func random() throws(CryptographyError) -> CodeVerifier {
    try CodeVerifier(bytes: Array(Base64URL.encode(try RandomBytes.generate(32)).utf8))
  }

  /// Creates a verifier from a stored string.
  ///
  /// - Returns: the verifier; nil if the string is not a valid verifier (§4.1), or if SHA-256 fails.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard (43...128).contains(bytes.count), bytes.allSatisfy(OAuth.PercentEncoding.unreserved.utf8.contains) else {
      return nil
    }
    do throws(CryptographyError) {
      try self.init(bytes: bytes)
    } catch {
      return nil
    }
  }

  private init(bytes: [UInt8]) throws(CryptographyError) {
    secret = OAuth.Secret(bytes: bytes)
    challenge = Base64URL.encode(try SHA256.digest(of: bytes))
  }
}
