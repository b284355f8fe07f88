internal import Bytes
public import OAuthValues

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
