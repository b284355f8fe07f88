internal import Bytes
internal import Cryptography
internal import HomelineOAuth

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
    case .s256:
      (try? SHA256.digest(of: Array(verifier.utf8))).map { equalInConstantTime(Base64URL.encode($0), text) } ?? false
    }
  }

  /// Returns whether a string has 43 to 128 unreserved characters (§4.1, §4.2).
  private static func isWellFormed(_ text: String) -> Bool {
    (43...128).contains(text.utf8.count) && PercentEncoding.encode(text) == text
  }
}
