/// An error in an ID Token.
public enum IDTokenError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The token does not consist of three parts with a JSON object in the middle.
  case unreadable
  /// A required claim is missing.
  case missing(String)
  /// A claim does not match this login.
  case wrong(String)
  /// The token has expired.
  case expired

  /// Describes the error as the end of a sentence about the token.
  public var description: String {
    switch self {
    case .unreadable: "it is malformed"
    case .missing(let claim): "it has no \(claim)"
    case .wrong("iss"): "its iss does not match the server's issuer"
    case .wrong("aud"), .wrong("azp"): "it was issued for another client"
    case .wrong(let claim): "its \(claim) does not match this login"
    case .expired: "it has expired; check the clocks of this machine and of the server"
    }
  }
}
