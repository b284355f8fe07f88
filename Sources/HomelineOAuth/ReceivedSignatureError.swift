/// Why a server cannot even begin to check a request's signature; it answers 400 (RFC 5849 §3.2).
public enum ReceivedSignatureError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A parameter that §3.1 requires is not there.
  case missingParameter(String)
  /// A protocol parameter comes twice.
  case doubledParameter(String)
  /// A method that is not offered, in the client's words.
  case unsupportedMethod(String)
  /// `oauth_version` is there and not `1.0`.
  case unsupportedVersion
  /// `oauth_timestamp` is not a positive integer.
  case badTimestamp
  /// A protocol parameter's bytes are not UTF-8.
  case notText(String)
  /// The query cannot be read.
  case badQuery(FormError)

  /// What is wrong, as a sentence.
  public var description: String {
    switch self {
    case .missingParameter(let name): "The parameter \(name) is missing."
    case .doubledParameter(let name): "The parameter \(name) comes twice."
    case .unsupportedMethod(let name): "The signature method \(name) is not offered."
    case .unsupportedVersion: "The parameter oauth_version is not 1.0."
    case .badTimestamp: "The parameter oauth_timestamp is not a positive integer."
    case .notText(let name): "The parameter \(name) is not UTF-8."
    case .badQuery(let error): "The query cannot be read. \(error)"
    }
  }
}
