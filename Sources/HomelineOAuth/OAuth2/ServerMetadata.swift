/// What an authorisation server says of itself (RFC 8414).
public struct ServerMetadata: Sendable, Hashable {
  /// Its endpoints, and its name as it tells it.
  public let endpoints: OAuth2Endpoints
  /// The PKCE methods that it takes, nil when it does not say: then nothing tells whether it knows PKCE.
  public let codeChallengeMethods: [String]?
  /// The scopes that it knows, nil when it does not say.
  public let scopes: [String]?

  /// Reads the metadata document of an issuer.
  ///
  /// - Parameters:
  ///   - answer: the response with the document.
  ///   - issuer: the issuer that was asked for; the document's must be the same, byte by byte (§3.3).
  ///   - acceptsTrailingSlash: whether `issuer` with a slash behind it is accepted too: Mastodon servers, which are known by
  ///     their host, call themselves `https://HOST/`.
  /// - Throws: ``ServerMetadataError``.
  public init(
    _ response: OAuth.Response, issuer: String, acceptsTrailingSlash: Bool = false
  ) throws(ServerMetadataError) {
    let document = try MetadataDocument(response)
    let told = try document.text("issuer")
    let accepted = acceptsTrailingSlash ? [issuer, issuer + "/"] : [issuer]
    guard accepted.contains(where: { $0.utf8.elementsEqual(told.utf8) }) else {
      throw .foreignIssuer(expected: issuer, told: ProviderText.cleaned(told.utf8, hiding: response.hiding))
    }
    let isLocal = (try? RequestURL(issuer))?.isLoopback ?? false
    func endpoint(_ name: String) throws(ServerMetadataError) -> RequestURL? {
      try document.endpoint(name, isLocal: isLocal)
    }
    guard let token = try endpoint("token_endpoint") else { throw .missing("token_endpoint") }
    endpoints = OAuth2Endpoints(
      issuer: told,
      promisesIssuer: document.flag("authorization_response_iss_parameter_supported"),
      authorize: try endpoint("authorization_endpoint"), token: token,
      revocation: try endpoint("revocation_endpoint"),
      deviceAuthorization: try endpoint("device_authorization_endpoint"),
      userInfo: try endpoint("userinfo_endpoint"),
      clientAuthentications: document.texts("token_endpoint_auth_methods_supported")?.compactMap {
        ClientAuthentication(metadataName: $0)
      },
      requiresPushedRequests: document.flag("require_pushed_authorization_requests"))
    codeChallengeMethods = document.texts("code_challenge_methods_supported")
    scopes = document.texts("scopes_supported")
  }
}

extension ServerMetadata {
  /// Where a server's metadata may lie, in the order to ask: between host and path as RFC 8414 §3.1 has it, and behind the
  /// path as OpenID Connect Discovery §4 has it. A slash at the end of the issuer counts for nothing.
  public static func addresses(of issuer: RequestURL) -> [RequestURL] {
    let path = issuer.path.hasSuffix("/") ? String(issuer.path.dropLast()) : issuer.path
    return ["/.well-known/oauth-authorization-server" + path, path + "/.well-known/openid-configuration"].compactMap {
      try? RequestURL(issuer.origin + $0)
    }
  }
}

/// The members of a server's metadata, before anyone has judged what they say.
struct MetadataDocument {
  private let members: ResponseMembers

  /// Reads an answer. Only a 200 is one (RFC 8414 §3.2).
  init(_ response: OAuth.Response) throws(ServerMetadataError) {
    do throws(Unreadable) {
      if let status = response.status, status != 200 { throw Unreadable(described: response) }
      members = try ResponseMembers(response)
    } catch {
      throw .unreadable(status: response.status ?? 0, error.words)
    }
    if let name = members.doubled.min() { throw .doubled(ProviderText.cleaned(name.utf8, hiding: response.hiding)) }
  }

  func text(_ name: String) throws(ServerMetadataError) -> String {
    guard let text = members.text(name) else { throw .missing(name) }
    return text
  }

  /// An endpoint, nil when it is not told. It has to be https; on this machine http will do, and a server elsewhere has no
  /// business sending us there.
  func endpoint(_ name: String, isLocal: Bool) throws(ServerMetadataError) -> RequestURL? {
    guard members[name] != nil else { return nil }
    let text = try text(name)
    let url: RequestURL
    do throws(RequestURLError) { url = try RequestURL(text) } catch { throw .badEndpoint(name, error) }
    guard url.isLoopback ? isLocal : url.isHTTPS else { throw .unsafeEndpoint(name) }
    return url
  }

  func texts(_ name: String) -> [String]? {
    guard case .texts(let texts)? = members[name] else { return nil }
    return texts
  }

  func flag(_ name: String) -> Bool { members[name] == .boolean(true) }
}

/// Why a server's description of itself cannot be used. Nothing of it may be.
public enum ServerMetadataError: Error, Sendable, Hashable, CustomStringConvertible {
  /// There is none: the status, 0 when it is not known, and what came, such as `a web page`.
  case unreadable(status: Int, String)
  /// It describes another server (RFC 8414 §3.3).
  case foreignIssuer(expected: String, told: String)
  /// A member that has to be there is missing, or is no text.
  case missing(String)
  /// A member comes twice.
  case doubled(String)
  /// An endpoint is no address.
  case badEndpoint(String, RequestURLError)
  /// An endpoint is reached without TLS, or lies on this machine though the server does not.
  case unsafeEndpoint(String)

  /// The HTTP status where nothing could be read, 200 otherwise.
  public var status: Int {
    if case .unreadable(let status, _) = self { status } else { 200 }
  }

  /// What is wrong, as a sentence.
  public var description: String {
    switch self {
    case .unreadable(let status, let words):
      "The server sent \(status == 0 ? "" : "status \(status) and ")\(words) where its metadata was expected."
        + (Unreadable.advice(on: words, status: status).map { " \($0)" } ?? "")
    case .foreignIssuer(let expected, let told):
      "The metadata is that of “\(told)” and not of “\(expected)”; "
        + "check the server's address."
    case .missing(let name): "The server's metadata has no \(name)."
    case .doubled(let name): "The server's metadata has \(name) twice."
    case .badEndpoint(let name, let error): "The server's metadata has a \(name) that is no address. \(error)"
    case .unsafeEndpoint(let name):
      "The server's metadata has a \(name) that is not https, or that lies on this machine; it is not used."
    }
  }
}

/// Where an authorisation server is asked what, and how it is to be asked (RFC 6749 §3, RFC 8414 §2).
public struct OAuth2Endpoints: Sendable, Hashable {
  /// Its name for itself, nil when it has told none. See ``IssuerRule``.
  public var issuer: String?
  /// Whether it has said that its redirects name it (RFC 9207 §3).
  public var promisesIssuer: Bool
  /// Where the user is sent; nil where there is only a device grant.
  public var authorize: RequestURL?
  /// Where codes and refresh tokens become access tokens.
  public var token: RequestURL
  /// Where tokens are given back (RFC 7009).
  public var revocation: RequestURL?
  /// Where a login on another device begins (RFC 8628).
  public var deviceAuthorization: RequestURL?
  /// Where it says who the user is (OpenID Connect Core §5.3).
  public var userInfo: RequestURL?
  /// What it takes of clients at the token endpoint; nil when it has not told, empty when it takes none of ours.
  public var clientAuthentications: [ClientAuthentication]?
  /// Whether the user may be sent there with a request that was pushed before only (RFC 9126 §5).
  public var requiresPushedRequests: Bool

  /// Names the endpoints.
  public init(
    issuer: String? = nil, promisesIssuer: Bool = false, authorize: RequestURL? = nil, token: RequestURL,
    revocation: RequestURL? = nil, deviceAuthorization: RequestURL? = nil, userInfo: RequestURL? = nil,
    clientAuthentications: [ClientAuthentication]? = nil, requiresPushedRequests: Bool = false
  ) {
    self.requiresPushedRequests = requiresPushedRequests
    self.issuer = issuer
    self.promisesIssuer = promisesIssuer
    self.authorize = authorize
    self.token = token
    self.revocation = revocation
    self.deviceAuthorization = deviceAuthorization
    self.userInfo = userInfo
    self.clientAuthentications = clientAuthentications
  }
}
