/// The secret of one authorisation, by which the token endpoint knows that whoever brings the code also asked for it
/// (PKCE, RFC 7636).
///
/// Draw a new one for each attempt, send its ``challenge`` with the user, and itself with the code. There is only S256: a
/// client that can do it must (§4.2), and falling back to `plain` would help whoever made S256 fail.
public struct CodeVerifier: Sendable, Hashable {
  /// The verifier, 43 to 128 of `A-Z a-z 0-9 - . _ ~` (§4.1).
  public let secret: Secret
  /// The S256 challenge: the SHA-256 of the verifier in base64url without padding, 43 characters (§4.2).
  public let challenge: String

  /// Draws one of 32 random bytes, written as 43 characters of base64url.
  ///
  /// - Throws: ``CryptographyError`` when the library refuses.
  public static func random() throws(CryptographyError) -> CodeVerifier {
    try CodeVerifier(bytes: Array(Base64URL.encode(try RandomBytes.draw(32)).utf8))
  }

  /// Takes a kept one.
  ///
  /// - Returns: nil when it is not one (§4.1), and when the library refuses SHA-256.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard (43...128).contains(bytes.count), bytes.allSatisfy(PercentEncoding.unreserved.utf8.contains) else {
      return nil
    }
    do throws(CryptographyError) {
      try self.init(bytes: bytes)
    } catch {
      return nil
    }
  }

  private init(bytes: [UInt8]) throws(CryptographyError) {
    secret = Secret(bytes: bytes)
    challenge = Base64URL.encode(try SHA256.digest(of: bytes))
  }
}
