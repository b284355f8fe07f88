internal import Bytes
internal import Cryptography
internal import HomelineOAuth

/// Derives tokens and their secrets from a key, and verifies them, so that they need not be stored.
///
/// Each purpose has its own key (HMAC-SHA256 of key and purpose), so a tag that was made for one purpose is invalid for all other purposes.
struct Seal: Sendable {
  enum Purpose: String {
    case requestToken = "request token"
    case accessToken = "access token"
    case tokenSecret = "token secret"
    case verifier, pin
  }

  /// The number of characters in a tag; 132 bits.
  static let tagLength = 22

  private let key: Secret

  init(_ key: SandboxKey) { self.key = key.secret }

  func tag(_ purpose: Purpose, of text: String) throws(CryptographyError) -> String {
    String(Base64URL.converting(try code(purpose, of: text)).prefix(Self.tagLength))
  }

  func isTag(_ claimed: some StringProtocol, _ purpose: Purpose, of text: String) throws(CryptographyError) -> Bool {
    equalInConstantTime(String(claimed), try tag(purpose, of: text))
  }

  /// Returns a token's secret. It is base64 and ends with `=`, so a client that does not percent-encode secrets in the signing key (RFC
  /// 5849 §3.4.2) fails on every request.
  func secret(of token: String) throws(CryptographyError) -> Secret {
    Secret(try code(.tokenSecret, of: token))
  }

  /// Returns the code that proves that the user has authorised a request token.
  func verifier(of token: String) throws(CryptographyError) -> String { try tag(.verifier, of: token) }

  /// Returns the verifier in a form that users can type: seven digits.
  func pin(of token: String) throws(CryptographyError) -> String {
    let number = try code(.pin, of: token).utf8.prefix(10).reduce(UInt64(0)) { $0 &* 257 &+ UInt64($1) }
    return String(1_000_000 + number % 9_000_000)
  }

  private func code(_ purpose: Purpose, of text: String) throws(CryptographyError) -> String {
    let key = SigningKey(clientSecret: key, tokenSecret: Secret(purpose.rawValue))
    return try Signature(.hmacSHA256, over: Array(text.utf8), key: key).text
  }
}
