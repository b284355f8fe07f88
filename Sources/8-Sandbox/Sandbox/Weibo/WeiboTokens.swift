internal import HTTP
internal import HomelineOAuth
internal import JSON
internal import Time

/// The parts of Weibo's OAuth 2.0 that differ from the standards.
struct WeiboTokens: Sendable {
  var server: OAuth2Server
  private let client: SandboxClient
  /// The newest token; nil before the first.
  private var newest: String?

  init(client: SandboxClient, policy: OAuth2Policy) {
    server = OAuth2Server(
      policy: policy,
      paths: OAuth2Paths(authorization: WeiboRoute.authorize.path, token: WeiboRoute.token.path, revocation: nil))
    self.client = client
    server.register(client)
  }

  // MARK: Authorisation

  mutating func authorize(_ request: Request, at now: Timestamp, _ quirks: WeiboQuirks) -> Response {
    registerDefaultPage(request)
    guard request.method == .get else { return Self.withErrorCode(server.decide(request, at: now)) }
    let page = server.authorizePage(request)
    guard page.status == .ok, quirks.skipsConsent, holdsToken(at: now),
      (try? RequestForm(query: request).value("forcelogin")) != "true"
    else { return Self.withErrorCode(page) }
    var form = Request(
      method: .post, target: request.target, headers: [.contentType: "application/x-www-form-urlencoded"],
      body: Array("\(request.target.query ?? "")&action=allow".utf8))
    if let host = request.headers.first(.host).flatMap({ FieldValue($0) }) { form.headers.set(.host, host) }
    return server.decide(form, at: now)
  }

  /// Returns the page whose address contains the code.
  func defaultPage() -> Response {
    SandboxPage.response(
      title: "Almost done",
      body: "<p>Copy the address of this page into the application that sent you here. It contains the code.</p>")
  }

  /// Registers the default page with the server's own port.
  private mutating func registerDefaultPage(_ request: Request) {
    let page = "http://\(request.headers.first(.host) ?? "")\(WeiboRoute.defaultPage.path)"
    server.register(
      SandboxClient(
        identifier: client.identifier, secret: client.secret, redirects: client.redirects + [page],
        scopes: client.scopes, name: client.name))
  }

  private func holdsToken(at now: Timestamp) -> Bool {
    guard let grant = newest.flatMap({ server.grant(of: $0) }), !server.isRevoked(grant) else { return false }
    return grant.expiresAt.map { now < $0 } ?? true
  }

  /// Adds Weibo's error code to a denial.
  private static func withErrorCode(_ response: Response) -> Response {
    var response = response
    guard let location = response.headers.first("Location"), location.contains("error=access_denied"),
      let longer = FieldValue(
        location + "&"
          + FormEncoding.encode([Parameter("error_code", "21330"), Parameter("error_uri", WeiboRoute.authorize.path)]))
    else { return response }
    response.headers.set("Location", longer)
    return response
  }

  // MARK: Tokens

  mutating func issue(_ request: Request, at now: Timestamp, _ quirks: WeiboQuirks) throws(WeiboError) -> Response {
    let issued: IssuedTokens
    do throws(OAuth2Error) { issued = try server.token(request, at: now) } catch { throw WeiboError(error) }
    newest = issued.access
    let seconds = issued.expiresIn?.components.seconds ?? 0
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("access_token", issued.access)
      writer.member("remind_in", String(seconds))
      if issued.writesExpiryAsText {
        writer.member("expires_in", String(seconds))
      } else {
        writer.member("expires_in", seconds)
      }
      switch quirks.userID {
      case .text: writer.member("uid", issued.userID)
      case .number: writer.member("uid", Int64(issued.userID))
      case .missing: break
      }
      writer.member("isRealName", "true")
    }
    var response = Response(json: writer.bytes)
    if let type = FieldValue(quirks.tokenType.rawValue) { response.headers.set(.contentType, type) }
    return response
  }

  /// Returns a token's user, even if the token has expired.
  func info(_ request: Request, at now: Timestamp, _ quirks: WeiboQuirks) throws(WeiboError) -> Response {
    guard request.method == .post else { throw .wrongMethod }
    let grant = try grant(request, quirks)
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("uid", Int64(grant.userID))
      writer.member("appkey", grant.clientID)
      writer.member("scope", grant.scopes.isEmpty ? nil : grant.scopes.joined(separator: ","))
      writer.member("create_at", grant.issuedAt.seconds)
      writer.member("expire_in", (grant.expiresAt ?? grant.issuedAt).seconds - now.seconds)
    }
    return Response(json: writer.bytes)
  }

  mutating func revoke(_ request: Request, _ quirks: WeiboQuirks) throws(WeiboError) -> Response {
    guard request.method == .get || request.method == .post else { throw .wrongMethod }
    server.revoke(try grant(request, quirks))
    var writer = JSONWriter()
    writer.object { writer in
      if quirks.writesResultAsFlag { writer.member("result", true) } else { writer.member("result", "true") }
    }
    return Response(json: writer.bytes)
  }

  /// Returns the grant of a request's token, even if the token has expired.
  private func grant(_ request: Request, _ quirks: WeiboQuirks) throws(WeiboError) -> SandboxGrant {
    // At a time in 1970, no token has expired.
    do throws(AccessTokenError) { return try server.admit(request, at: Timestamp(seconds: 0)) } catch {
      throw WeiboError(error, status: quirks.tokenStatus)
    }
  }
}
