internal import HomelineOAuth

/// Makes and checks everything that only the holder of the key can make, so that nothing of it need be stored.
///
/// Each purpose has a key of its own (HMAC-SHA256 under key and purpose): a tag made for one is worth nothing for another.
struct Seal: Sendable {
  enum Purpose: String {
    case requestToken = "request token"
    case accessToken = "access token"
    case tokenSecret = "token secret"
    case verifier, pin
  }

  /// Letters of a tag: 132 bits, far beyond guessing.
  static let tagLength = 22

  private let key: Secret

  init(_ key: SandboxKey) { self.key = key.secret }

  func tag(_ purpose: Purpose, of text: String) throws(CryptographyError) -> String {
    String(Base64URL.fromOrdinary(try code(purpose, of: text)).prefix(Self.tagLength))
  }

  func isTag(_ claimed: some StringProtocol, _ purpose: Purpose, of text: String) throws(CryptographyError) -> Bool {
    equalInConstantTime(String(claimed), try tag(purpose, of: text))
  }

  /// The secret that belongs to a token. It is ordinary base64 and ends in `=`, so a client that forgets to
  /// percent-encode secrets in the key is found out with every request (RFC 5849 §3.4.2).
  func secret(of token: String) throws(CryptographyError) -> Secret {
    Secret(try code(.tokenSecret, of: token))
  }

  /// What proves that the user has agreed to a request token.
  func verifier(of token: String) throws(CryptographyError) -> String { try tag(.verifier, of: token) }

  /// The same for a user who has to type it: seven digits.
  func pin(of token: String) throws(CryptographyError) -> String {
    let number = try code(.pin, of: token).utf8.prefix(10).reduce(UInt64(0)) { $0 &* 257 &+ UInt64($1) }
    return String(1_000_000 + number % 9_000_000)
  }

  private func code(_ purpose: Purpose, of text: String) throws(CryptographyError) -> String {
    let key = SigningKey(clientSecret: key, tokenSecret: Secret(purpose.rawValue))
    return try Signature(.hmacSHA256, over: Array(text.utf8), key: key).text
  }
}

/// The 32 random bytes under which a sandbox makes its tokens: who has the same key knows the same tokens.
package struct SandboxKey: Sendable, Equatable {
  package static let byteCount = 32

  let secret: Secret

  /// Fails for another number of bytes.
  package init?(bytes: [UInt8]) {
    guard bytes.count == Self.byteCount else { return nil }
    secret = Secret(bytes: bytes)
  }

  /// A new key from the kernel's random source (getrandom(2), by way of `SystemRandomNumberGenerator`).
  package static func random() -> SandboxKey {
    SandboxKey(bytes: (0..<byteCount).map { _ in UInt8.random(in: .min ... .max) })!
  }

  /// Hands the bytes to `body`, to be kept in a private file.
  package func withExposed<R, E: Error>(_ body: ([UInt8]) throws(E) -> R) throws(E) -> R {
    try secret.withExposed(body)
  }
}

/// An access token: the user's number, random bytes, and the tag that makes it known in every later run.
enum AccessToken {
  private static let randomLength = 16

  static func issue(to userID: Int64, by seal: Seal) throws(CryptographyError) -> String {
    let random = (0..<randomLength).map { _ in UInt8.random(in: .min ... .max) }
    let head = "\(userID)-\(Base64URL.encode(random))"
    return head + (try seal.tag(.accessToken, of: head))
  }

  /// Whether the token was issued under this key, to this user.
  static func isIssued(_ text: String, to userID: Int64, by seal: Seal) throws(CryptographyError) -> Bool {
    guard text.hasPrefix("\(userID)-"), text.utf8.count > Seal.tagLength else { return false }
    return try seal.isTag(text.suffix(Seal.tagLength), .accessToken, of: String(text.dropLast(Seal.tagLength)))
  }
}
