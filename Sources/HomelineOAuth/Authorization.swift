extension OAuth {
  /// The signature of a request.
  ///
  /// Only ``headerValue`` is sent. The other properties explain the signature; all but ``maskedKey`` are computed on access.
  public struct Authorization: Sendable, Hashable {
    /// The value of the `Authorization` header.
    public let headerValue: String
    /// The signing key with its secrets masked, such as `<consumer secret>&<token secret>`.
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

    /// The signature, without percent-encoding.
    public var signature: Signature {
      Signature(
        percentEncoded: Array(headerValue.utf8.dropFirst(signatureRange.lowerBound).prefix(signatureRange.count)))
    }
  }
}

extension OAuth.Authorization: CustomStringConvertible, CustomReflectable {
  /// `OAuth <redacted>`, because the parameters contain the token, the verifier and, with PLAINTEXT, the secrets.
  public var description: String { "OAuth <redacted>" }

  /// An empty mirror, so that `dump` shows no secrets.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

// A short name for this package's other targets. Other packages use the one in the namespace `OAuth`.
package typealias Authorization = OAuth.Authorization
