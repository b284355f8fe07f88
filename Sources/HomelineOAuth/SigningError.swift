/// Why a request could not be signed.
public enum SigningError: Error, Sendable, Hashable, CustomStringConvertible {
  /// PLAINTEXT sends the secrets themselves, and this request goes over plain HTTP to another machine (RFC 5849 §3.4.4).
  case plaintextWithoutTLS(host: String)
  /// The query of the URL is not form data, so what it means, and what is signed, is not certain.
  case badQuery(FormError)
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
