public import OAuthValues

extension OAuth {
  /// The signature of a request.
  ///
  /// Only ``headerValue`` is sent. The other properties explain the signature; all but ``maskedKey`` are computed on access.
  public struct Authorization: Sendable, Hashable {
    /// The value of the `Authorization` header.
    public private(set) var headerValue = ""
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
    private var signatureRange = 0..<0

    /// Creates the signature of a request without its header, which ``complete(_:signature:)`` adds.
    ///
    /// - Parameter own: the parameters that all requests of the signer share.
    init(
      of request: SignableRequest, nonceTimestamp: NonceTimestamp, additional: [Parameter], own: ProtocolParameters,
      realm: String?,
      maskedKey: String
    ) {
      self.own = own
      self.nonceTimestamp = nonceTimestamp
      self.additional = additional
      self.request = request
      self.realm = realm
      self.maskedKey = maskedKey
    }

    /// Adds the value of the header, with the range of the encoded signature in it.
    mutating func complete(_ headerValue: String, signature: Range<Int>) {
      self.headerValue = headerValue
      signatureRange = signature
    }

    /// Collects and sorts the parameters to sign.
    ///
    /// - Throws: ``OAuth/FormError`` if the query is malformed.
    @inline(__always)
    func collect(in list: inout ParameterList) throws(FormError) {
      list.removeAll()
      own.append(to: &list, nonceTimestamp: nonceTimestamp)
      let sorted = list.entries.count
      list.append(additional, isSent: true)
      try request.append(to: &list)
      list.sort(after: sorted)
    }

    /// Collects the parameters of a signed request. Its query is therefore known to be valid.
    private func withCollected<R>(_ body: (inout ParameterList) -> R) -> R {
      var list = ParameterList()
      try? collect(in: &list)
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
