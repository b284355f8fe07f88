extension OAuth {
  /// The signature of a request.
  ///
  /// Only ``headerValue`` is sent, and only this property is computed when signing. The other properties explain the signature, and are
  /// computed on access.
  public struct Authorization: Sendable, Hashable {
    /// The value of the `Authorization` header.
    public let headerValue: String
    /// The form of the key: `<consumer secret>&<token secret>`.
    public let maskedKey: String

    private let realm: String?
    private let input: SignatureInput
    /// The range of the encoded signature in the header.
    private let signatureRange: Range<Int>

    init(headerValue: String, signatureRange: Range<Int>, realm: String?, maskedKey: String, input: SignatureInput) {
      self.headerValue = headerValue
      self.signatureRange = signatureRange
      self.realm = realm
      self.maskedKey = maskedKey
      self.input = input
    }

    /// The protocol parameters including the signature, sorted by name.
    public var header: AuthorizationHeader {
      input.withCollected { list in
        _ = list.insertSignature(signature.text.utf8.span)
        return AuthorizationHeader(realm: realm, parameters: list.sentParameters)
      }
    }

    /// The signed parameters in normalised form.
    public var normalizedParameters: NormalizedParameters {
      input.withCollected { NormalizedParameters($0.parameters) }
    }

    /// The signed text. PLAINTEXT does not use it.
    public var baseString: BaseString {
      BaseString(method: input.request.method, url: input.request.url, parameters: normalizedParameters)
    }

    /// The signature, not percent-encoded.
    public var signature: Signature {
      Signature(
        percentEncoded: Array(headerValue.utf8.dropFirst(signatureRange.lowerBound).prefix(signatureRange.count)))
    }
  }
}

extension OAuth.Authorization: CustomStringConvertible, CustomReflectable {
  /// `<redacted>`, because the parameters contain the token, the verifier and, with PLAINTEXT, the secrets.
  public var description: String { "OAuth <redacted>" }

  /// An empty mirror, so that `dump` shows no secrets.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

// A short name for the other targets of this package. Other programs use the name in the namespace `OAuth`.
package typealias Authorization = OAuth.Authorization
