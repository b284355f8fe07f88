internal import Glibc

/// An error that prevents a request from being signed.
public enum SigningError: Error, Sendable, Hashable, CustomStringConvertible {
  /// With PLAINTEXT, the secrets themselves would be sent to another machine without TLS (RFC 5849 §3.4.4).
  case plaintextWithoutTLS(host: String)
  /// The URL's query is not valid form data, so its meaning is ambiguous.
  case badQuery(OAuth.FormError)
  /// A protocol parameter would be sent more than once (§3.1), for example in the header and in the query.
  case duplicateParameter(String)
  /// The method is empty or contains an invalid character (RFC 9110 §9.1).
  case badMethod
  /// The timestamp is not a positive number of seconds (§3.3).
  case badTimestamp(Int64)
  /// OpenSSL failed to compute the signature.
  case cryptography(CryptographyError)

  /// Describes the error in a sentence.
  public var description: String {
    switch self {
    case .plaintextWithoutTLS(let host):
      "PLAINTEXT would send the secrets to \(host) without encryption. Use https or an HMAC method."
    case .badQuery(let error): "The URL's query is malformed. \(error)"
    case .duplicateParameter(let name): "The request would contain \(name) more than once."
    case .badMethod: "The request's method is empty or contains an invalid character."
    case .badTimestamp(let seconds): "The timestamp \(seconds) is not positive. Set this machine's clock."
    case .cryptography(let error): "The signature could not be computed. \(error)"
    }
  }
}

/// The key of a signature: both secrets, percent-encoded and joined by `&`. The `&` is present even if a secret is empty (RFC 5849 §3.4.2).
public struct SigningKey: Sendable, Hashable {
  private let secret: OAuth.Secret
  private let hasTokenSecret: Bool

  /// Creates the key from the consumer secret and the secret of the token in use. A request for temporary credentials uses no token secret,
  /// the exchange uses the request token's secret, and later requests use the access token's secret.
  public init(clientSecret: OAuth.Secret, tokenSecret: OAuth.Secret?) {
    var bytes: [UInt8] = []
    clientSecret.withExposed { OAuth.PercentEncoding.append($0.span, to: &bytes) }
    bytes.append(UInt8(ascii: "&"))
    tokenSecret?.withExposed { OAuth.PercentEncoding.append($0.span, to: &bytes) }
    secret = OAuth.Secret(bytes: bytes)
    hasTokenSecret = tokenSecret?.isEmpty == false
  }

  /// Calls `body` with the key's bytes and rethrows its errors.
  public func withExposed<R: ~Copyable, E: Error>(_ body: ([UInt8]) throws(E) -> R) throws(E) -> R {
    try secret.withExposed(body)
  }

  /// The key for display, with its secrets masked: `<consumer secret>&<token secret>`. An empty secret is left out.
  public var masked: String {
    let hasClientSecret = withExposed { $0.first != UInt8(ascii: "&") }
    return (hasClientSecret ? "<consumer secret>" : "") + "&" + (hasTokenSecret ? "<token secret>" : "")
  }
}

extension SigningKey: CustomStringConvertible {
  /// The value of ``masked``.
  public var description: String { masked }
}
