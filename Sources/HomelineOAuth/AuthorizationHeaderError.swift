/// Why an Authorization header is not one that OAuth 1.0 can use.
public enum AuthorizationHeaderError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Longer than what is taken.
  case tooLong(bytes: Int, limit: Int)
  /// Another scheme than `OAuth`.
  case notOAuth
  /// Not a list of `name="value"` at this byte.
  case malformed(offset: Int)
  /// A name or value has a broken escape, at or behind this byte.
  case badEscape(offset: Int)
  /// A name that comes twice (RFC 5849 §3.1).
  case doubledParameter(String)

  /// What is wrong, as a sentence without any value.
  public var description: String {
    switch self {
    case .tooLong(let bytes, let limit): "The Authorization header is \(bytes) bytes long; \(limit) are allowed."
    case .notOAuth: "The Authorization header does not begin with OAuth."
    case .malformed(let offset): "The Authorization header is not a list of name=\"value\" at byte \(offset)."
    case .badEscape(let offset): "The Authorization header has a % without two hexadecimal digits at byte \(offset)."
    case .doubledParameter(let name): "The Authorization header has \(name) twice."
    }
  }
}
