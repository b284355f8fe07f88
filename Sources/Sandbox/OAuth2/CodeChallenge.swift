internal import HomelineOAuth

/// What a client said beforehand about the verifier that it will show with its code (RFC 7636).
struct CodeChallenge: Sendable {
  private enum Method: String { case plain, s256 = "S256" }

  private let method: Method
  private let text: String

  /// nil when there is no challenge.
  /// - Throws: what is wrong with it, in words.
  init?(_ form: RequestForm, allowsPlain: Bool) throws(OAuth2Failure) {
    let challenge: String?
    let name: String?
    do throws(RequestFormError) {
      challenge = try form.value("code_challenge")
      name = try form.value("code_challenge_method")
    } catch { throw .badRequest(error.description) }
    guard let challenge else {
      if name != nil { throw .badRequest("There is a code_challenge_method and no code_challenge.") }
      return nil
    }
    // Left out, it is `plain` (§4.3).
    guard let method = Method(rawValue: name ?? "plain"), method == .s256 || allowsPlain else {
      throw .badRequest("The code_challenge_method is not supported.")
    }
    guard Self.isWellFormed(challenge), method == .plain || challenge.utf8.count == 43 else {
      throw .badRequest("The code_challenge is not one.")
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

  /// 43 to 128 unreserved characters (§4.1, §4.2).
  private static func isWellFormed(_ text: String) -> Bool {
    (43...128).contains(text.utf8.count) && PercentEncoding.encode(text) == text
  }
}
