internal import Bytes
internal import Cryptography
package import HTTP
internal import HomelineOAuth
internal import Time

/// The three endpoints of OAuth 1.0a (RFC 5849 §2): request token, authorisation and access token.
struct OAuth1Server: Sendable {
  private static let invalidVerifier = Response(
    status: .unauthorized, type: "text/html;charset=utf-8",
    text: "Error processing your OAuth request: Invalid oauth_verifier parameter")

  let applicationName: String
  let user: Author
  let life: Duration
  /// The request tokens that have been exchanged or denied.
  private var used = ExpiringSet(capacity: 50_000)

  init(applicationName: String, user: Author, life: Duration) {
    self.applicationName = applicationName
    self.user = user
    self.life = life
  }

  /// Issues a request token (§2.1).
  func requestToken(_ request: Request, authenticator: inout RequestAuthenticator, at now: Timestamp)
    throws(TwitterError)
    -> Response
  {
    let authenticated = try authenticator.admit(request, as: .client, at: now)
    guard let address = authenticated.signature["oauth_callback"] else {
      throw .badAuthentication("The parameter oauth_callback is missing.")
    }
    let callback: RequestURL?
    if address == "oob" {
      callback = nil
    } else {
      guard address.utf8.count <= RequestToken.callbackLimit, let url = try? RequestURL(address), url.isLoopback,
        !url.isHTTPS
      else { return .callbackNotApproved }
      callback = url
    }
    return try Self.computed { () throws(CryptographyError) in
      let token = try RequestToken.issue(at: now, callback: callback, by: authenticator.seal)
      return Self.form(
        token.text, try authenticator.seal.secret(of: token.text), [Parameter("oauth_callback_confirmed", "true")])
    }
  }

  /// Returns the page where the user authorises the application (§2.2).
  func authorizePage(_ request: Request, authenticator: RequestAuthenticator, at now: Timestamp) throws(TwitterError)
    -> Response
  {
    let token = (try? FormEncoding.decode(request.target.query ?? "")).flatMap { Self.value("oauth_token", in: $0) }
    guard let token, let open = try open(token, authenticator: authenticator, at: now) else {
      return OAuth1ConsentPage.invalid()
    }
    return OAuth1ConsentPage.form(for: open, applicationName: applicationName, user: user, path: request.target.path)
  }

  /// Processes the form on the authorisation page, whose `action` is `allow` or `deny`. Forms sent by other pages are refused.
  mutating func authorize(_ request: Request, authenticator: RequestAuthenticator, at now: Timestamp)
    throws(TwitterError)
    -> Response
  {
    guard request.isOwnForm, let form = try? FormEncoding.decode(request.body),
      let text = Self.value("oauth_token", in: form), let token = try open(text, authenticator: authenticator, at: now)
    else { return OAuth1ConsentPage.invalid() }
    switch Self.value("action", in: form) {
    case "allow":
      return try Self.computed { () throws(CryptographyError) in
        guard let callback = token.callback else { return OAuth1ConsentPage.pin(try authenticator.seal.pin(of: text)) }
        return Self.redirect(
          to: callback,
          [Parameter("oauth_token", text), Parameter("oauth_verifier", try authenticator.seal.verifier(of: text))])
      }
    case "deny":
      try use(token, at: now)
      guard let callback = token.callback else { return OAuth1ConsentPage.denied() }
      return Self.redirect(to: callback, [Parameter("denied", text)])
    default: return OAuth1ConsentPage.invalid()
    }
  }

  /// Exchanges a request token for an access token (§2.3).
  mutating func accessToken(_ request: Request, authenticator: inout RequestAuthenticator, at now: Timestamp)
    throws(TwitterError) -> Response
  {
    let authenticated = try authenticator.admit(request, as: .temporary, at: now)
    guard let token = try open(authenticated.token, authenticator: authenticator, at: now) else { throw .invalidToken }
    let seal = authenticator.seal
    let expected = try Self.computed { () throws(CryptographyError) in
      token.callback == nil ? try seal.pin(of: token.text) : try seal.verifier(of: token.text)
    }
    guard let verifier = authenticated.signature["oauth_verifier"], equalInConstantTime(verifier, expected) else {
      return Self.invalidVerifier
    }
    try use(token, at: now)
    return try Self.computed { () throws(CryptographyError) in
      let access = try AccessToken.issue(to: user.id, by: seal)
      return Self.form(
        access, try seal.secret(of: access),
        [Parameter("user_id", String(user.id)), Parameter("screen_name", user.screenName)])
    }
  }

  /// Returns the request token; `nil` if it was not issued by this server, has expired or has been used.
  private func open(_ text: String, authenticator: RequestAuthenticator, at now: Timestamp) throws(TwitterError)
    -> RequestToken?
  {
    let token = try Self.computed { () throws(CryptographyError) in try RequestToken(text, under: authenticator.seal) }
    guard let token, now < token.issuedAt + life, !used.contains(text, until: token.issuedAt + life) else {
      return nil
    }
    return token
  }

  private mutating func use(_ token: RequestToken, at now: Timestamp) throws(TwitterError) {
    switch used.insert(token.text, until: token.issuedAt + life, at: now) {
    case .new: return
    case .known: throw .invalidToken
    case .full: throw .overCapacity
    }
  }

  private static func value(_ name: String, in form: [Parameter]) -> String? {
    let values = form.filter { $0.isNamed(name) }
    return values.count == 1 ? values[0].valueText : nil
  }

  private static func form(_ token: String, _ secret: Secret, _ more: [Parameter]) -> Response {
    let pair = [
      Parameter("oauth_token", token),
      secret.withExposed { Parameter(name: Array("oauth_token_secret".utf8), value: $0) },
    ]
    return Response(form: pair + more)
  }

  private static func redirect(to callback: RequestURL, _ parameters: [Parameter]) -> Response {
    Response(redirectTo: callback.text, adding: FormEncoding.encode(parameters)) ?? OAuth1ConsentPage.invalid()
  }

  private static func computed<Result>(_ body: () throws(CryptographyError) -> Result) throws(TwitterError) -> Result {
    do throws(CryptographyError) { return try body() } catch { throw .internalError(error) }
  }
}

extension Response {
  /// Error 415, which the real server sends as XML.
  package static var callbackNotApproved: Response {
    Response(
      status: .forbidden, type: "application/xml; charset=utf-8",
      text: """
        <?xml version="1.0" encoding="UTF-8"?><errors><error code="415">Callback URL not approved for this client \
        application. Approved callback URLs can be adjusted in your application settings</error></errors>
        """)
  }
}
