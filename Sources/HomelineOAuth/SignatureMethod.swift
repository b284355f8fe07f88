/// How a request is signed (RFC 5849 §3.4).
///
/// RSA-SHA1 (§3.4.3) is not offered: no server that a desktop client meets asks for it, and it needs a private key to be
/// kept. HMAC-SHA256 and HMAC-SHA512 are not in RFC 5849; several servers have them as an extension.
public enum SignatureMethod: String, Sendable, Hashable, CaseIterable {
  /// HMAC-SHA1 over the base string (§3.4.2).
  case hmacSHA1 = "HMAC-SHA1"
  /// The same with SHA-256, an extension.
  case hmacSHA256 = "HMAC-SHA256"
  /// The same with SHA-512, an extension.
  case hmacSHA512 = "HMAC-SHA512"
  /// The key itself is the signature (§3.4.4): only over TLS, or to the same machine.
  case plaintext = "PLAINTEXT"

  /// The method that a user means, in any letter case: `hmac-sha1`. On the wire only the upper-case names are right:
  /// there use `init(rawValue:)`.
  public init?(named name: String) {
    let wanted = ASCII.lowercased(name)
    guard let method = Self.allCases.first(where: { ASCII.lowercased($0.rawValue) == wanted }) else { return nil }
    self = method
  }
}
