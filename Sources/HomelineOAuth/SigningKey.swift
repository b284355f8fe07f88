internal import Glibc

/// Why a request could not be signed.
public enum SigningError: Error, Sendable, Hashable, CustomStringConvertible {
  /// PLAINTEXT sends the secrets themselves, and this request goes over plain HTTP to another machine (RFC 5849 §3.4.4).
  case plaintextWithoutTLS(host: String)
  /// The query of the URL is not form data, so what it means, and what is signed, is not certain.
  case badQuery(OAuth.FormError)
  /// A protocol parameter would be sent twice (§3.1): in the header and in the query or body, say.
  case doubledParameter(String)
  /// The method is empty or has a byte that no method has (RFC 9110 §9.1).
  case badMethod
  /// The timestamp is not a positive number of seconds (§3.3).
  case badTimestamp(Int64)
  /// OpenSSL would not compute it.
  case cryptography(CryptographyError)

  /// What is wrong, as a sentence.
  public var description: String {
    switch self {
    case .plaintextWithoutTLS(let host):
      "PLAINTEXT would show the secrets to everyone between here and \(host): use https or an HMAC method."
    case .badQuery(let error): "The URL's query cannot be signed. \(error)"
    case .doubledParameter(let name): "The request would send \(name) twice."
    case .badMethod: "The request's method is not a word of letters, digits and dashes."
    case .badTimestamp(let seconds): "The timestamp \(seconds) is not positive: the clock is not set."
    case .cryptography(let error): "The signature could not be computed. \(error)"
    }
  }
}

/// The key of a signature: both secrets percent-encoded, with an `&` between them even when one is empty
/// (RFC 5849 §3.4.2).
public struct SigningKey: Sendable, Hashable {
  private let secret: OAuth.Secret
  private let hasTokenSecret: Bool

  /// Makes the key from the consumer secret and the secret of the token in use: none when temporary credentials are asked
  /// for, the request token's when it is exchanged, the access token's from then on.
  public init(clientSecret: OAuth.Secret, tokenSecret: OAuth.Secret?) {
    var bytes: [UInt8] = []
    clientSecret.withExposed { OAuth.PercentEncoding.append($0.span, to: &bytes) }
    bytes.append(UInt8(ascii: "&"))
    tokenSecret?.withExposed { OAuth.PercentEncoding.append($0.span, to: &bytes) }
    secret = OAuth.Secret(bytes: bytes)
    hasTokenSecret = tokenSecret?.isEmpty == false
  }

  /// Hands the key's bytes to `body`; what it throws is thrown on.
  public func withExposed<R: ~Copyable, E: Error>(_ body: ([UInt8]) throws(E) -> R) throws(E) -> R {
    try secret.withExposed(body)
  }

  /// The key's shape without its secrets, to be shown to the user: `<consumer secret>&<token secret>`, and nothing on a
  /// side that is empty.
  public var masked: String {
    let hasClientSecret = withExposed { $0.first != UInt8(ascii: "&") }
    return (hasClientSecret ? "<consumer secret>" : "") + "&" + (hasTokenSecret ? "<token secret>" : "")
  }
}

extension SigningKey: CustomStringConvertible {
  /// The same as ``masked``.
  public var description: String { masked }
}
