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

/// The 32 random bytes from which a sandbox derives its tokens. Sandboxes with the same key accept each other's tokens.
package struct SandboxKey: Sendable, Equatable {
  package static let byteCount = 32

  let secret: Secret

  /// Fails unless there are 32 bytes.
  package init?(bytes: [UInt8]) {
    guard bytes.count == Self.byteCount else { return nil }
    secret = Secret(bytes: bytes)
  }

  /// Returns a new key from the kernel's random source (`SystemRandomNumberGenerator`, getrandom(2)).
  package static func random() -> SandboxKey {
    SandboxKey(bytes: (0..<byteCount).map { _ in UInt8.random(in: .min ... .max) })!
  }

  /// Passes the bytes to `body`, which stores them in a private file.
  package func withExposed<R, E: Error>(_ body: ([UInt8]) throws(E) -> R) throws(E) -> R {
    try secret.withExposed(body)
  }
}

/// An access token: the user's id, random bytes, and a tag that every later run can verify.
enum AccessToken {
  private static let randomLength = 16

  static func issue(to userID: Int64, by seal: Seal) throws(CryptographyError) -> String {
    let random = (0..<randomLength).map { _ in UInt8.random(in: .min ... .max) }
    let head = "\(userID)-\(Base64URL.encode(random))"
    return head + (try seal.tag(.accessToken, of: head))
  }

  /// Returns whether the token was issued to this user with this key.
  static func isIssued(_ text: String, to userID: Int64, by seal: Seal) throws(CryptographyError) -> Bool {
    guard text.hasPrefix("\(userID)-"), text.utf8.count > Seal.tagLength else { return false }
    return try seal.isTag(text.suffix(Seal.tagLength), .accessToken, of: String(text.dropLast(Seal.tagLength)))
  }
}
