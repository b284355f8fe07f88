/// Signs requests for one application and one token with one method (RFC 5849 §3).
public struct Signer: Sendable, Hashable {
  /// Which application asks.
  public let client: ClientCredentials
  /// Which token it asks with.
  public let token: TokenRole
  /// How it signs.
  public let method: SignatureMethod
  /// The realm to name in the header, nil for none. It is not signed.
  public let realm: String?
  /// Whether `oauth_version=1.0` is sent; §3.1 lets it be left out, and then it is not signed either.
  public let sendsVersion: Bool

  private let key: SigningKey

  /// Sets everything that stays the same between requests.
  public init(
    client: ClientCredentials, token: TokenRole, method: SignatureMethod = .hmacSHA1, realm: String? = nil,
    sendsVersion: Bool = true
  ) {
    self.client = client
    self.token = token
    self.method = method
    self.realm = realm
    self.sendsVersion = sendsVersion
    key = SigningKey(clientSecret: client.secret, tokenSecret: token.secret)
  }

  /// Signs a request. `additional` are further protocol parameters that travel in the header: `oauth_callback`,
  /// `oauth_verifier`.
  ///
  /// - Throws: ``SigningError`` when the request cannot be signed without guessing or without giving away the secrets.
  public func sign(
    _ request: SignableRequest, stamp: Stamp, additional: [Parameter] = []
  ) throws(SigningError) -> Authorization {
    try checkMethod(request.method)
    guard stamp.timestamp > 0 else { throw .badTimestamp(stamp.timestamp) }
    if method == .plaintext, !request.url.isHTTPS, !request.url.isLoopback {
      throw .plaintextWithoutTLS(host: request.url.host)
    }

    let protocolParameters = protocolParameters(stamp: stamp) + additional
    let all = try parameters(of: request) + protocolParameters
    try checkUnique(all)

    let normalized = NormalizedParameters(all)
    let baseString = BaseString(method: request.method, url: request.url, parameters: normalized)
    let signature: Signature
    do throws(CryptographyError) {
      signature = try Signature(method, over: baseString.bytes, key: key)
    } catch {
      throw .cryptography(error)
    }
    let sent = (protocolParameters + [Parameter("oauth_signature", signature.text)])
      .sorted { $0.name.lexicographicallyPrecedes($1.name) }
    return Authorization(
      header: AuthorizationHeader(realm: realm, parameters: sent), normalizedParameters: normalized,
      baseString: baseString, signature: signature, maskedKey: key.masked)
  }

  /// §3.1, without the signature.
  private func protocolParameters(stamp: Stamp) -> [Parameter] {
    var parameters = [
      Parameter("oauth_consumer_key", client.identifier),
      Parameter("oauth_nonce", stamp.nonce.text),
      Parameter("oauth_signature_method", method.rawValue),
      Parameter("oauth_timestamp", String(stamp.timestamp)),
    ]
    if let identifier = token.identifier { parameters.append(Parameter("oauth_token", identifier)) }
    if sendsVersion { parameters.append(Parameter("oauth_version", "1.0")) }
    return parameters
  }

  private func parameters(of request: SignableRequest) throws(SigningError) -> [Parameter] {
    do throws(FormError) {
      return try request.parameters()
    } catch {
      throw .badQuery(error)
    }
  }

  /// Protocol parameters come once (§3.1). The signature among them: one in the query would stand beside ours.
  private func checkUnique(_ parameters: [Parameter]) throws(SigningError) {
    let names = parameters.lazy.filter(\.isProtocolParameter).map(\.name)
      .sorted { $0.lexicographicallyPrecedes($1) }
    for (index, name) in names.enumerated() {
      guard !name.elementsEqual("oauth_signature".utf8), index == 0 || name != names[index - 1] else {
        throw .doubledParameter(String(decoding: name, as: UTF8.self))
      }
    }
  }

  private func checkMethod(_ method: String) throws(SigningError) {
    let isToken = method.utf8.allSatisfy {
      ASCII.isLetter($0) || ASCII.isDigit($0) || "!#$%&'*+-.^_`|~".utf8.contains($0)
    }
    guard isToken, !method.isEmpty else { throw .badMethod }
  }
}

extension Signer: CustomStringConvertible {
  /// The method and the consumer key, nothing secret.
  public var description: String { "\(method.rawValue) for \(client.identifier)" }
}
