/// Why a text is not a URL that can be signed and sent.
public enum RequestURLError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Longer than what is taken.
  case tooLong(bytes: Int, limit: Int)
  /// A space, a control byte or a byte outside ASCII: it has to be percent-encoded first.
  case forbiddenByte(UInt8, offset: Int)
  /// Neither `http://` nor `https://` in front.
  case unsupportedScheme
  /// `user:password@` in front of the host; the base string has no place for it (RFC 5849 §3.4.1.2).
  case userInformation
  /// No host between `//` and the path.
  case missingHost
  /// The host has a byte that neither names nor addresses have.
  case badHost
  /// What follows the host's colon is not a number from 1 to 65535.
  case badPort
  /// A request target that does not begin with `/`.
  case badTarget

  /// What is wrong, as a sentence. The URL itself is left out, since its query may hold a token.
  public var description: String {
    switch self {
    case .tooLong(let bytes, let limit):
      "The URL is \(bytes) bytes long; \(limit) are allowed."
    case .forbiddenByte(let byte, let offset):
      "The URL has the byte 0x\(String(byte, radix: 16, uppercase: true)) at offset \(offset), "
        + "which must be percent-encoded."
    case .unsupportedScheme: "The URL does not begin with http:// or https://."
    case .userInformation: "The URL has a user name or password in front of its host."
    case .missingHost: "The URL has no host."
    case .badHost: "The URL's host is neither a name nor an address."
    case .badPort: "The URL's port is not a number from 1 to 65535."
    case .badTarget: "The request target does not begin with a slash."
    }
  }
}
