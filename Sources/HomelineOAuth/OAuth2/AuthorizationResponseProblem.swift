/// Why a redirect's query is neither a grant nor a refusal. The login goes on waiting.
public enum AuthorizationResponseProblem: Error, Sendable, Hashable, CustomStringConvertible {
  /// It has no code, and no error either.
  case missingCode
  /// It has a code that belongs to no attempt.
  case missingState
  /// It grants and refuses at once: a server sends the one or the other (§4.1.2, §4.1.2.1).
  case codeAndError
  /// One of the protocol's parameters comes twice (RFC 6749 §3.1).
  case doubledParameter(String)
  /// The bytes of a parameter are not UTF-8.
  case notText(String)
  /// It cannot be read at all.
  case unreadable(FormError)

  /// What is wrong, as a sentence without any value.
  public var description: String {
    switch self {
    case .missingCode: "The redirect has no code."
    case .missingState: "The redirect has no state."
    case .codeAndError: "The redirect has a code and an error at once."
    case .doubledParameter(let name): "The redirect has \(name) twice."
    case .notText(let name): "The redirect has bytes in \(name) that are not UTF-8."
    case .unreadable(let error): "The redirect cannot be read. \(error)"
    }
  }
}
