extension OAuth {
  /// A signed request's credentials, and how they came about.
  ///
  /// Only ``headerValue`` is meant to be sent, and only that is made by signing. The rest is what `--explain` shows and what tests
  /// compare: each is worked out when it is asked for.
  public struct Authorization: Sendable, Hashable {
    /// What goes behind `Authorization: `.
    public let headerValue: String
    /// The shape of the key: `<consumer secret>&<token secret>`.
    public let maskedKey: String

    private let realm: String?
    private let input: SignatureInput
    /// Where in the header the signature stands, encoded.
    private let signaturePlace: Range<Int>

    init(headerValue: String, signaturePlace: Range<Int>, realm: String?, maskedKey: String, input: SignatureInput) {
      self.headerValue = headerValue
      self.signaturePlace = signaturePlace
      self.realm = realm
      self.maskedKey = maskedKey
      self.input = input
    }

    /// The protocol parameters with the signature, sorted by name.
    public var header: AuthorizationHeader {
      input.withCollected { list in
        _ = list.insertSignature(signature.text.utf8.span)
        return AuthorizationHeader(realm: realm, parameters: list.sentParameters)
      }
    }

    /// What was signed, in its normal form.
    public var normalizedParameters: NormalizedParameters {
      input.withCollected { NormalizedParameters($0.parameters) }
    }

    /// What the signature was made over; PLAINTEXT makes none of it.
    public var baseString: BaseString {
      BaseString(method: input.request.method, url: input.request.url, parameters: normalizedParameters)
    }

    /// The signature itself, not encoded.
    public var signature: Signature {
      Signature(
        percentEncoded: Array(headerValue.utf8.dropFirst(signaturePlace.lowerBound).prefix(signaturePlace.count)))
    }
  }
}

extension OAuth.Authorization: CustomStringConvertible, CustomReflectable {
  /// `OAuth <redacted>`: the parameters hold the token, the verifier and, with PLAINTEXT, the secrets.
  public var description: String { "OAuth <redacted>" }

  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

// The short name for the other targets of this package; programs outside it see the namespace only.
package typealias Authorization = OAuth.Authorization
