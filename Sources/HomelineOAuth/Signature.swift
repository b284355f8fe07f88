extension OAuth {
  /// The value of `oauth_signature`, not yet percent-encoded (RFC 5849 §3.4.2, §3.4.4).
  public struct Signature: Sendable, Hashable {
    /// Base64 of the HMAC; for PLAINTEXT the key itself, so never show it.
    public let text: String

    /// Signs a base string with a key. PLAINTEXT takes the key as it is and ignores the base string.
    ///
    /// - Throws: ``CryptographyError`` when OpenSSL refuses, as it does for SHA-1 under some policies.
    public init(_ method: SignatureMethod, over baseString: [UInt8], key: SigningKey) throws(CryptographyError) {
      text = try key.withExposed { key throws(CryptographyError) in
        guard let hash = method.hash else { return String(decoding: key, as: UTF8.self) }
        return Base64.encode(try HMAC.code(hash, key: key, message: baseString))
      }
    }

    /// Takes a signature out of a header that was written here.
    init(percentEncoded bytes: [UInt8]) {
      // What was encoded here can be decoded.
      text = String(decoding: (try? PercentEncoding.decode(bytes[...])) ?? bytes, as: UTF8.self)
    }

    /// Whether someone else's signature is the same, in constant time.
    public func matches(_ claimed: [UInt8]) -> Bool {
      equalInConstantTime(Array(text.utf8), claimed)
    }
  }
}

extension OAuth.Signature: CustomStringConvertible, CustomReflectable {
  /// `<redacted>`, since a PLAINTEXT signature holds the secrets.
  public var description: String { "<redacted>" }

  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension OAuth {
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
}

extension OAuth.SignatureMethod {
  /// The hash of the HMAC, nil for PLAINTEXT.
  var hash: HMACState.Hash? {
    switch self {
    case .hmacSHA1: .sha1
    case .hmacSHA256: .sha256
    case .hmacSHA512: .sha512
    case .plaintext: nil
    }
  }
}

// The short name for the other targets of this package; programs outside it see the namespace only.
package typealias Signature = OAuth.Signature
package typealias SignatureMethod = OAuth.SignatureMethod
