public import OAuthValues

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
    private let own: ProtocolParameters
    private let nonceTimestamp: NonceTimestamp
    /// Further protocol parameters of this request.
    private let additional: [Parameter]
    /// The signed request.
    let request: SignableRequest
    /// The range of the encoded signature in the header.
    private let signatureRange: Range<Int>

    /// - Parameters:
    ///   - signature: the range of the encoded signature in the header.
    ///   - own: the parameters that all requests of the signer share.
    init(
      _ headerValue: String, signature: Range<Int>, of request: SignableRequest, nonceTimestamp: NonceTimestamp,
      additional: [Parameter], own: ProtocolParameters,
      realm: String?,
      maskedKey: String
    ) {
      self.headerValue = headerValue
      signatureRange = signature
      self.own = own
      self.nonceTimestamp = nonceTimestamp
      self.additional = additional
      self.request = request
      self.realm = realm
      self.maskedKey = maskedKey
    }

    /// Collects the parameters of a signed request. Its query is therefore known to be valid.
    private func withCollected<R>(_ body: (inout ParameterList) -> R) -> R {
      var list = ParameterList()
      try? own.collect(of: request, nonceTimestamp: nonceTimestamp, additional: additional, in: &list)
      return body(&list)
    }

    /// The protocol parameters including the signature, sorted by name.
    public var header: AuthorizationHeader {
      withCollected { list in
        _ = list.insertSignature(signature.text.utf8.span)
        return AuthorizationHeader(realm: realm, parameters: list.sentParameters)
      }
    }

    /// The signed parameters in normalised form.
    public var normalizedParameters: NormalizedParameters {
      withCollected { NormalizedParameters($0.parameters) }
    }

    /// The signed text. PLAINTEXT does not use it.
    public var baseString: BaseString {
      BaseString(method: request.method, url: request.url, parameters: normalizedParameters)
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

// A short name for this package's other targets. Other packages use the name in the `OAuth` namespace.
package typealias Authorization = OAuth.Authorization
