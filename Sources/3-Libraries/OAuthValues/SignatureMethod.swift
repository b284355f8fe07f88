internal import Bytes

extension OAuth {
  /// A signature method (RFC 5849 §3.4).
  ///
  /// RSA-SHA1 (§3.4.3) is not supported, because it requires a stored private key, and servers for desktop clients do not use it.
  /// HMAC-SHA256 and HMAC-SHA512 are extensions that several servers support.
  public enum SignatureMethod: String, Sendable, Hashable, CaseIterable {
    /// HMAC-SHA1 of the base string (§3.4.2).
    case hmacSHA1 = "HMAC-SHA1"
    /// HMAC-SHA256, an extension.
    case hmacSHA256 = "HMAC-SHA256"
    /// HMAC-SHA512, an extension.
    case hmacSHA512 = "HMAC-SHA512"
    /// The key itself is the signature (§3.4.4). PLAINTEXT is allowed only over TLS or for a server on this machine.
    case plaintext = "PLAINTEXT"

    /// Creates a method from a case-insensitive name, as entered by a user. In the protocol, names are in upper case; use
    /// `init(rawValue:)` for a name that was received.
    public init?(named name: String) {
      let lowercasedName = ASCII.lowercased(name)
      guard let method = Self.allCases.first(where: { ASCII.lowercased($0.rawValue) == lowercasedName }) else {
        return nil
      }
      self = method
    }
  }
}

// A short name for this package's other targets. Other packages use the one in the namespace `OAuth`.
package typealias SignatureMethod = OAuth.SignatureMethod
