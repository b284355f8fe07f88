internal import Bytes
public import Cryptography
public import OAuthValues

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

// A short name for this package's other targets. Other packages use the one in the namespace `OAuth`.
package typealias Signature = OAuth.Signature
