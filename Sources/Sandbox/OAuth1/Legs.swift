internal import CivilTime
internal import HomelineOAuth
package import HTTP

/// The three legs (RFC 5849 §2): a request token, the user's word, and the access token.
struct Legs: Sendable {
  private static let verifierRefusal = Response(
    status: .unauthorized, type: "text/html;charset=utf-8",
    text: "Error processing your OAuth request: Invalid oauth_verifier parameter")

  let applicationName: String
  let user: Author
  let life: Duration
  /// Request tokens that were exchanged or denied.
  private var spent = ExpiringSet(capacity: 50_000)

  init(applicationName: String, user: Author, life: Duration) {
    self.applicationName = applicationName
    self.user = user
    self.life = life
  }

  /// The first leg (§2.1).
  func requestToken(_ request: Request, gate: inout Gate, at now: Timestamp) throws(Refusal) -> Response {
    let entrance = try gate.admit(request, as: .client, at: now)
    guard let address = entrance.claim["oauth_callback"] else {
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
      let token = try RequestToken.issue(at: now, callback: callback, by: gate.seal)
      return Self.form(
        token.text, try gate.seal.secret(of: token.text), [Parameter("oauth_callback_confirmed", "true")])
    }
  }

  /// The page of the second leg (§2.2).
  func authorizePage(_ request: Request, gate: Gate, at now: Timestamp) throws(Refusal) -> Response {
    let token = (try? FormEncoding.decode(request.target.query ?? "")).flatMap { Self.value("oauth_token", in: $0) }
    guard let token, let open = try open(token, gate: gate, at: now) else { return AuthorizePage.invalid() }
    return AuthorizePage.question(open, applicationName: applicationName, user: user)
  }

  /// What the user said on that page. The word of a form that another page sent does not count.
  mutating func authorize(_ request: Request, gate: Gate, at now: Timestamp) throws(Refusal) -> Response {
    guard request.isOwnForm, let form = try? FormEncoding.decode(request.body),
      let text = Self.value("oauth_token", in: form), let token = try open(text, gate: gate, at: now)
    else { return AuthorizePage.invalid() }
    switch Self.value("action", in: form) {
    case "allow":
      return try Self.computed { () throws(CryptographyError) in
        guard let callback = token.callback else { return AuthorizePage.pin(try gate.seal.pin(of: text)) }
        return Self.redirect(
          to: callback,
          [Parameter("oauth_token", text), Parameter("oauth_verifier", try gate.seal.verifier(of: text))])
      }
    case "deny":
      try spend(token, at: now)
      guard let callback = token.callback else { return AuthorizePage.denied() }
      return Self.redirect(to: callback, [Parameter("denied", text)])
    default: return AuthorizePage.invalid()
    }
  }

  /// The third leg (§2.3).
  mutating func accessToken(_ request: Request, gate: inout Gate, at now: Timestamp) throws(Refusal) -> Response {
    let entrance = try gate.admit(request, as: .temporary, at: now)
    guard let token = try open(entrance.token, gate: gate, at: now) else { throw .invalidToken }
    let seal = gate.seal
    let expected = try Self.computed { () throws(CryptographyError) in
      token.callback == nil ? try seal.pin(of: token.text) : try seal.verifier(of: token.text)
    }
    guard let verifier = entrance.claim["oauth_verifier"], equalInConstantTime(verifier, expected) else {
      return Self.verifierRefusal
    }
    try spend(token, at: now)
    return try Self.computed { () throws(CryptographyError) in
      let access = try AccessToken.issue(to: user.id, by: seal)
      return Self.form(
        access, try seal.secret(of: access),
        [Parameter("user_id", String(user.id)), Parameter("screen_name", user.screenName)])
    }
  }

  /// The request token, if it is one of ours, young enough and not spent.
  private func open(_ text: String, gate: Gate, at now: Timestamp) throws(Refusal) -> RequestToken? {
    let token = try Self.computed { () throws(CryptographyError) in try RequestToken(text, under: gate.seal) }
    guard let token, now < token.issuedAt + life, !spent.contains(text, until: token.issuedAt + life) else {
      return nil
    }
    return token
  }

  private mutating func spend(_ token: RequestToken, at now: Timestamp) throws(Refusal) {
    switch spent.insert(token.text, until: token.issuedAt + life, at: now) {
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
    Response(redirectTo: callback.text, adding: FormEncoding.encode(parameters)) ?? AuthorizePage.invalid()
  }

  private static func computed<Result>(_ body: () throws(CryptographyError) -> Result) throws(Refusal) -> Result {
    do throws(CryptographyError) { return try body() } catch { throw .internalError(error) }
  }
}

/// The pages that the user sees in the second leg: small, whole in themselves, loading nothing.
enum AuthorizePage {
  static func question(_ token: RequestToken, applicationName: String, user: Author) -> Response {
    let application = HTML.escaped(applicationName)
    let afterwards =
      if let callback = token.callback {
        "Afterwards you return to <code>\(HTML.escaped(callback.origin + callback.path))</code>."
      } else {
        "Afterwards you get a number to type into \(application)."
      }
    return SandboxPage.response(
      title: "Authorise \(application)?",
      body: """
        <p class="who"><span class="face" aria-hidden="true">\(HTML.escaped(String(user.name.prefix(1))))</span>
        <span><b>\(HTML.escaped(user.name))</b><br>@\(HTML.escaped(user.screenName))</span></p>
        <p><b>\(application)</b> asks to read your home timeline and to see who you are. \(afterwards)</p>
        <form method="post" action="\(SandboxRoute.authorize.path)">
        <input type="hidden" name="oauth_token" value="\(HTML.escaped(token.text))">
        <button class="yes" type="submit" name="action" value="allow" id="allow">Authorise</button>
        <button type="submit" name="action" value="deny" id="deny">Cancel</button>
        </form>
        """,
      formTargets: "'self' " + SandboxPage.formTarget(of: token.callback))
  }

  static func pin(_ pin: String) -> Response {
    SandboxPage.response(
      title: "Almost done",
      body: """
        <p>Type this number into the application that sent you here:</p>
        <p class="pin"><code id="pin">\(HTML.escaped(pin))</code></p>
        """)
  }

  static func denied() -> Response {
    SandboxPage.response(title: "Cancelled", body: "<p>Nothing was granted. You may close this page.</p>")
  }

  static func invalid() -> Response {
    SandboxPage.response(
      title: "This link is not valid", status: .forbidden,
      body: "<p>It was used already, is too old, or was not made here. Go back to the application and begin again.</p>")
  }
}

extension Response {
  /// Code 415, which the real server writes as XML.
  package static var callbackNotApproved: Response {
    Response(
      status: .forbidden, type: "application/xml; charset=utf-8",
      text: """
        <?xml version="1.0" encoding="UTF-8"?><errors><error code="415">Callback URL not approved for this client \
        application. Approved callback URLs can be adjusted in your application settings</error></errors>
        """)
  }
}
