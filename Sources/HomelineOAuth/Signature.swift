extension OAuth {
  /// The value of `oauth_signature`, not percent-encoded (RFC 5849 §3.4.2, §3.4.4).
  public struct Signature: Sendable, Hashable {
    /// The HMAC in Base64, or the key itself for PLAINTEXT. Never show it.
    public let text: String

    /// Signs a base string with a key. PLAINTEXT uses the key and ignores the base string.
    ///
    /// - Throws: ``CryptographyError`` if OpenSSL fails, for example because a policy forbids SHA-1.
    public init(_ method: SignatureMethod, over baseString: [UInt8], key: SigningKey) throws(CryptographyError) {
      text = try key.withExposed { key throws(CryptographyError) in
        guard let hash = method.hash else { return String(decoding: key, as: UTF8.self) }
        return Base64.encode(try HMAC.code(hash, key: key, message: baseString))
      }
    }

    /// Extracts the signature from a header that this library wrote.
    init(percentEncoded bytes: [UInt8]) {
      // Decoding cannot fail, because this library encoded the signature.
      text = String(decoding: (try? PercentEncoding.decode(bytes[...])) ?? bytes, as: UTF8.self)
    }

    /// Returns whether a received signature equals this one. The comparison takes constant time.
    public func matches(_ claimed: [UInt8]) -> Bool {
      equalInConstantTime(Array(text.utf8), claimed)
    }
  }
}

extension OAuth.Signature: CustomStringConvertible, CustomReflectable {
  /// `<redacted>`, because a PLAINTEXT signature contains secrets.
  public var description: String { "<redacted>" }

  /// An empty mirror, so that `dump` shows no secrets.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

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

    /// Creates a method from a name in any letter case, as entered by a user. In the protocol, names are in upper case; use
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

extension OAuth.SignatureMethod {
  /// The hash function of the HMAC; nil for PLAINTEXT.
  var hash: HMACState.Hash? {
    switch self {
    case .hmacSHA1: .sha1
    case .hmacSHA256: .sha256
    case .hmacSHA512: .sha512
    case .plaintext: nil
    }
  }
}

// Short names for this package's other targets. Other packages use those in the namespace `OAuth`.
package typealias Signature = OAuth.Signature
package typealias SignatureMethod = OAuth.SignatureMethod
