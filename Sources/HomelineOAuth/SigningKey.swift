/// The key of a signature: both secrets percent-encoded, with an `&` between them even when one is empty
/// (RFC 5849 §3.4.2).
public struct SigningKey: Sendable, Hashable {
  private let secret: Secret
  private let hasTokenSecret: Bool

  /// Makes the key from the consumer secret and the secret of the token in use: none when temporary credentials are asked
  /// for, the request token's when it is exchanged, the access token's from then on.
  public init(clientSecret: Secret, tokenSecret: Secret?) {
    var bytes: [UInt8] = []
    clientSecret.withExposed { PercentEncoding.append($0.span, to: &bytes) }
    bytes.append(UInt8(ascii: "&"))
    tokenSecret?.withExposed { PercentEncoding.append($0.span, to: &bytes) }
    secret = Secret(bytes: bytes)
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
