/// The metadata of an authorisation server (RFC 8414).
public struct ServerMetadata: Sendable, Hashable {
  /// The endpoints and the issuer identifier.
  public let endpoints: OAuth2Endpoints
  /// The supported PKCE methods; nil if the server does not list them.
  public let codeChallengeMethods: [String]?
  /// The supported scopes; nil if the server does not list them.
  public let scopes: [String]?

  /// Parses the metadata document of an issuer.
  ///
  /// - Parameters:
  ///   - response: the response with the document.
  ///   - issuer: the expected issuer. The document must contain it, byte by byte (§3.3). If it is a Microsoft address for several tenants,
  ///     in which a path segment is `common`, `organizations` or `consumers`, the document may have `{tenantid}` in place of that segment.
  ///   - acceptsTrailingSlash: whether to also accept `issuer` with a trailing slash. The issuer of a Mastodon server is `https://HOST/`,
  ///     although users name only the host.
  /// - Throws: ``ServerMetadataError``.
  public init(
    _ response: OAuth.Response, issuer: String, acceptsTrailingSlash: Bool = false
  ) throws(ServerMetadataError) {
    let document = try MetadataDocument(response)
    let received = try document.text("issuer")
    let accepted = acceptsTrailingSlash ? [issuer, issuer + "/"] : [issuer]
    guard
      accepted.contains(where: { $0.utf8.elementsEqual(received.utf8) })
        || IssuerTemplate.matches(received, configured: issuer)
    else {
      throw .issuerMismatch(expected: issuer, received: ProviderText.cleaned(received.utf8, hiding: response.hiding))
    }
    let isLocal = (try? RequestURL(issuer))?.isLoopback ?? false
    func endpoint(_ name: String) throws(ServerMetadataError) -> RequestURL? {
      try document.endpoint(name, isLocal: isLocal)
    }
    guard let token = try endpoint("token_endpoint") else { throw .missing("token_endpoint") }
    endpoints = OAuth2Endpoints(
      issuer: received,
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
  /// Returns the URLs at which a server's metadata may be found, in order. The well-known path is inserted before the issuer's path (RFC
  /// 8414 §3.1), or appended to it (OpenID Connect Discovery §4). A trailing slash in the issuer is ignored.
  public static func addresses(of issuer: RequestURL) -> [RequestURL] {
    let path = issuer.path.hasSuffix("/") ? String(issuer.path.dropLast()) : issuer.path
    return ["/.well-known/oauth-authorization-server" + path, path + "/.well-known/openid-configuration"].compactMap {
      try? RequestURL(issuer.origin + $0)
    }
  }
}

/// The members of a server's metadata document.
struct MetadataDocument {
  private let members: ResponseMembers

  /// Parses a response, whose status must be 200 (RFC 8414 §3.2).
  init(_ response: OAuth.Response) throws(ServerMetadataError) {
    do throws(ResponseFormatError) {
      if let status = response.status, status != 200 { throw ResponseFormatError(describing: response) }
      members = try ResponseMembers(response)
    } catch {
      throw .unreadable(status: response.status ?? 0, error.message)
    }
    if let name = members.duplicates.min() {
      throw .duplicateMember(ProviderText.cleaned(name.utf8, hiding: response.hiding))
    }
  }

  func text(_ name: String) throws(ServerMetadataError) -> String {
    guard let text = members.text(name) else { throw .missing(name) }
    return text
  }

  /// Returns an endpoint; nil if it is not listed. The endpoint must use https, unless it is on this machine. Only a server on this machine
  /// may list endpoints on this machine.
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

/// An error in a server's metadata. No part of the document may be used.
public enum ServerMetadataError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The response is not a metadata document. The values are its status (0 if unknown) and a description, such as `a web page`.
  case unreadable(status: Int, String)
  /// The document describes a different server (RFC 8414 §3.3).
  case issuerMismatch(expected: String, received: String)
  /// A required member is missing or is not a string.
  case missing(String)
  /// A member appears more than once.
  case duplicateMember(String)
  /// An endpoint is not a valid URL.
  case badEndpoint(String, RequestURLError)
  /// An endpoint does not use https, or is on this machine although the server is not.
  case unsafeEndpoint(String)

  /// The HTTP status if there is no document, otherwise 200.
  public var status: Int {
    if case .unreadable(let status, _) = self { status } else { 200 }
  }

  /// Describes the error in a sentence.
  public var description: String {
    switch self {
    case .unreadable(let status, let message):
      "The server sent \(status == 0 ? "" : "status \(status) and ")\(message) where its metadata was expected."
        + (ResponseFormatError.advice(on: message, status: status).map { " \($0)" } ?? "")
    case .issuerMismatch(let expected, let received):
      "The metadata belongs to “\(received)” instead of “\(expected)”; "
        + "check the server's address."
    case .missing(let name): "The server's metadata has no \(name)."
    case .duplicateMember(let name): "The server's metadata contains \(name) more than once."
    case .badEndpoint(let name, let error): "The server's metadata has an invalid \(name). \(error)"
    case .unsafeEndpoint(let name):
      "The server's metadata has a \(name) that does not use https or points to this machine; it is not used."
    }
  }
}

/// The endpoints and capabilities of an authorisation server (RFC 6749 §3, RFC 8414 §2).
public struct OAuth2Endpoints: Sendable, Hashable {
  /// The issuer identifier; nil if it is unknown. If one segment of its path is `{tenantid}`, it matches the issuers of all tenants. See
  /// ``IssuerRule``.
  public var issuer: String?
  /// Whether the server announces that its redirects contain `iss` (RFC 9207 §3).
  public var promisesIssuer: Bool
  /// The authorisation endpoint; nil if only the device grant is supported.
  public var authorize: RequestURL?
  /// The token endpoint, for codes and refresh tokens.
  public var token: RequestURL
  /// The revocation endpoint (RFC 7009).
  public var revocation: RequestURL?
  /// The device authorisation endpoint (RFC 8628).
  public var deviceAuthorization: RequestURL?
  /// The user information endpoint (OpenID Connect Core §5.3).
  public var userInfo: RequestURL?
  /// The client authentication methods that the token endpoint and this library support; nil if the server does not list its methods.
  public var clientAuthentications: [ClientAuthentication]?
  /// Whether authorisation requests must be pushed first (RFC 9126 §5).
  public var requiresPushedRequests: Bool

  /// Creates the endpoints.
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
