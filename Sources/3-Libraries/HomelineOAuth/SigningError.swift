public import Cryptography
internal import OAuthValues

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
