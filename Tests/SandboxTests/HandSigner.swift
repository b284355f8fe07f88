import HTTP
@testable import HomelineOAuth
import Sandbox

/// Signs by hand, rightly or with one of the mistakes that clients make. It shares nothing with the signer under
/// `Sources` but the hash.
struct HandSigner {
  enum Flaw: CaseIterable {
    case joinedSort, rawSecrets, queryInURI, queryNotSigned, lowerCaseEscapes, noTokenSecret, plusForSpace,
      lowerCaseMethod, portLeftOut, signedTwice, hexadecimal
  }

  var flaw: Flaw?
  var token: TokenCredentials
  var timestamp: Int64
  var nonce = "hand"
  var signatureMethod = SignatureMethod.hmacSHA1

  /// A GET whose parameters tell right order from wrong, and right escapes from wrong.
  static let query = [("a", "1"), ("a-b", "2"), ("a.b", "3"), ("a1", "4"), ("aa", "5"), ("note", "é 水~*'()!+/")]

  func header(_ method: String, _ uri: String, _ query: [(String, String)], form: [(String, String)] = []) throws
    -> String
  {
    let own = [
      ("oauth_consumer_key", SandboxProvider.consumer.identifier), ("oauth_nonce", nonce),
      ("oauth_signature_method", signatureMethod.rawValue),
      ("oauth_timestamp", String(timestamp)), ("oauth_token", token.identifier), ("oauth_version", "1.0"),
    ]
    var base = uri
    var signed = own + form + (flaw == .queryNotSigned ? [] : query)
    if flaw == .queryInURI {
      base += "?" + query.map { "\(encode($0.0))=\(encode($0.1))" }.joined(separator: "&")
      signed = own + form
    }
    if flaw == .signedTwice { signed += query }
    if flaw == .portLeftOut { base = base.replacing(":4000", with: "") }
    let text = [flaw == .lowerCaseMethod ? method.lowercased() : method, encode(base), encode(normalized(signed))]
      .joined(separator: "&")
    let secrets = SandboxProvider.consumer.secret.withExposedText { client in
      token.secret.withExposedText { (client, flaw == .noTokenSecret ? "" : $0) }
    }
    let key = flaw == .rawSecrets ? "\(secrets.0)&\(secrets.1)" : "\(encode(secrets.0))&\(encode(secrets.1))"
    let code = try HMAC.code(
      signatureMethod == .hmacSHA1 ? .sha1 : .sha256, key: Array(key.utf8), message: Array(text.utf8))
    let signature =
      flaw == .hexadecimal
      ? code.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() : Base64.encode(code)
    return "OAuth "
      + (own + [("oauth_signature", signature)]).map { "\($0.0)=\"\(percent($0.1))\"" }.joined(separator: ", ")
  }

  private func normalized(_ parameters: [(String, String)]) -> String {
    let encoded = parameters.map { (encode($0.0), encode($0.1)) }
    if flaw == .joinedSort { return encoded.map { "\($0.0)=\($0.1)" }.sorted().joined(separator: "&") }
    return encoded.sorted { $0.0 == $1.0 ? $0.1 < $1.1 : $0.0 < $1.0 }.map { "\($0.0)=\($0.1)" }
      .joined(separator: "&")
  }

  private func encode(_ text: String) -> String {
    let right = percent(text)
    switch flaw {
    case .lowerCaseEscapes:
      // Only the letters behind a percent sign; the rest of the text keeps its case.
      return right.split(separator: "%", omittingEmptySubsequences: false).enumerated()
        .map { $0 == 0 ? String($1) : "%" + $1.prefix(2).lowercased() + $1.dropFirst(2) }.joined()
    case .plusForSpace: return right.replacing("%20", with: "+")
    default: return right
    }
  }

  private func percent(_ text: String) -> String {
    text.utf8.map { byte -> String in
      let letter = Character(UnicodeScalar(byte))
      if byte < 128, letter.isLetter || letter.isNumber || "-._~".contains(letter) { return String(letter) }
      return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }.joined()
  }

  /// The query as it is sent.
  static func sent(_ query: [(String, String)]) -> String {
    FormEncoding.encode(query.map { Parameter($0.0, $0.1) })
  }
}
