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
    do throws(PercentEncodingError) {
      text = String(decoding: try PercentEncoding.decode(bytes[...]), as: UTF8.self)
    } catch {
      preconditionFailure("written here, and cannot be read: \(error)")
    }
  }

  /// Whether someone else's signature is the same, in constant time.
  public func matches(_ claimed: [UInt8]) -> Bool {
    equalInConstantTime(Array(text.utf8), claimed)
  }
}

extension Signature: CustomStringConvertible, CustomReflectable {
  /// `<redacted>`, since a PLAINTEXT signature holds the secrets.
  public var description: String { "<redacted>" }

  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
