/// What ties a redirect to the attempt that it answers, so that nobody else's code is taken for ours (RFC 6749 §10.12).
public enum OAuth2State {
  /// Draws 192 random bits, written as 32 of `A-Z a-z 0-9 - _`: some servers give the state back without encoding it.
  ///
  /// - Throws: ``CryptographyError`` when the library refuses.
  public static func random() throws(CryptographyError) -> String {
    Base64URL.encode(try RandomBytes.draw(24))
  }
}
