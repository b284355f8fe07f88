/// An error found while parsing a URL.
public enum RequestURLError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The URL is longer than the limit.
  case tooLong(bytes: Int, limit: Int)
  /// The URL contains a space, a control character or a non-ASCII character. In a path or a query, it must be percent-encoded; in a
  /// host, the A-label must be used (RFC 5890 §2.3.2.1).
  case forbiddenCharacter(Unicode.Scalar)
  /// The URL does not begin with `http://` or `https://`.
  case unsupportedScheme
  /// The URL contains `user:password@`, which the base string cannot express (RFC 5849 §3.4.1.2).
  case userInformation
  /// The host is empty.
  case missingHost
  /// The host contains a byte that is not allowed in host names and addresses.
  case badHost
  /// The port is not a number from 1 to 65535.
  case badPort
  /// The request target does not begin with `/`.
  case badTarget
  /// An authorisation request would contain a parameter more than once (RFC 6749 §3.1).
  case duplicateParameter(String)

  /// Describes the error in a sentence. The sentence does not contain the URL, because its query may contain a token.
  public var description: String {
    switch self {
    case .tooLong(let bytes, let limit):
      "The URL is \(bytes) bytes long; the limit is \(limit)."
    case .forbiddenCharacter(let scalar):
      "The URL contains \(Self.name(of: scalar)), which must be percent-encoded."
    case .unsupportedScheme: "The URL does not begin with http:// or https://."
    case .userInformation: "The URL contains a user name or password before its host."
    case .missingHost: "The URL has no host."
    case .badHost: "The URL's host contains a character that is not allowed."
    case .badPort: "The URL's port is not a number from 1 to 65535."
    case .badTarget: "The request target does not begin with a slash."
    case .duplicateParameter(let name): "The authorisation request would contain \(name) more than once."
    }
  }

  private static func name(of scalar: Unicode.Scalar) -> String {
    switch scalar {
    case " ": return "a space"
    case "\t": return "a tab"
    case "\n", "\r": return "a line break"
    default: break
    }
    return switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .privateUse, .unassigned:
      "an invisible character (U+\(String(scalar.value, radix: 16, uppercase: true)))"
    default: "“\(scalar)”"
    }
  }
}
