internal import CivilTime
internal import COpenSSL
internal import HomelineOAuth

/// The issued authorisation codes. They are remembered long after they have expired.
struct AuthorizationCodes: Sendable {
  /// The grant behind a code.
  struct Entry: Sendable {
    let clientID: String
    let redirect: String
    let scopes: [String]
    let challenge: CodeChallenge?
    let issuedAt: Timestamp
    /// The token family for which the code was exchanged.
    var family: Int?
  }

  /// The minimum time to remember a code, so that its reuse is detected.
  private static let memory: Duration = .seconds(3600)
  /// The maximum number of codes, far more than there are logins in an hour. Beyond it, the oldest codes are discarded.
  private static let capacity = 1_000

  private var entries: [String: Entry] = [:]

  subscript(code: String) -> Entry? { entries[code] }

  mutating func issue(_ entry: Entry) -> String {
    if entries.count >= Self.capacity {
      entries = entries.filter { $0.value.issuedAt + Self.memory > entry.issuedAt }
    }
    if entries.count >= Self.capacity, let oldest = entries.min(by: { $0.value.issuedAt < $1.value.issuedAt })?.key {
      entries[oldest] = nil
    }
    let code = RandomText.token()
    entries[code] = entry
    return code
  }

  mutating func use(_ code: String, for family: Int) { entries[code]?.family = family }
}

/// The code challenge of an authorisation request (RFC 7636).
struct CodeChallenge: Sendable {
  private enum Method: String { case plain, s256 = "S256" }

  private let method: Method
  private let text: String

  /// Fails if there is no challenge.
  /// - Throws: ``OAuth2Error/badRequest(_:)`` if it is invalid.
  init?(_ form: RequestForm, allowsPlain: Bool) throws(OAuth2Error) {
    let challenge: String?
    let name: String?
    do throws(RequestFormError) {
      challenge = try form.value("code_challenge")
      name = try form.value("code_challenge_method")
    } catch { throw .badRequest(error.description) }
    guard let challenge else {
      if name != nil { throw .badRequest("There is a code_challenge_method but no code_challenge.") }
      return nil
    }
    // The default is `plain` (§4.3).
    guard let method = Method(rawValue: name ?? "plain"), method == .s256 || allowsPlain else {
      throw .badRequest("The code_challenge_method is not supported.")
    }
    guard Self.isWellFormed(challenge), method == .plain || challenge.utf8.count == 43 else {
      throw .badRequest("The code_challenge is malformed.")
    }
    self.method = method
    text = challenge
  }

  func accepts(_ verifier: String) -> Bool {
    guard Self.isWellFormed(verifier) else { return false }
    return switch method {
    case .plain: equalInConstantTime(verifier, text)
    case .s256: equalInConstantTime(Base64URL.encode(SHA256.digest(Array(verifier.utf8))), text)
    }
  }

  /// Returns whether a text has 43 to 128 unreserved characters (§4.1, §4.2).
  private static func isWellFormed(_ text: String) -> Bool {
    (43...128).contains(text.utf8.count) && PercentEncoding.encode(text) == text
  }
}

/// SHA-256 through OpenSSL (`EVP_Q_digest(3)`).
enum SHA256 {
  static func digest(_ message: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    var length = 0
    guard unsafe EVP_Q_digest(nil, "SHA256", nil, message, message.count, &digest, &length) == 1 else {
      preconditionFailure("the default provider of OpenSSL has SHA-256")
    }
    return digest
  }
}

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
